// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShortNameTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "main | main",
        "main.(*pool).write | main.(*pool).write",
        "kv.(*Map[go.shape.int_0]).Put.func1 | kv.(*Map[go.shape.int_0]).Put.func1",
        "pm_persist | pm_persist",
        "put.constprop.0.isra.2 | put",
        "put.isra.0.cold | put.cold",
        "Store.part | Store.part",
        "__log_MOD_add.constprop.0 | log::add",
        "camlDune__exe__Store__add_824 | Dune.exe.Store.add",
        "camlStore__$2b$21_84 | Store.+!",
        "P$STORE_$$_ADDENTRY$PTABLE$QWORD | STORE.ADDENTRY",
        "_D5store5Store__T3putTmZQhMFmZv | store.Store.put",
        "store::put(unsigned long, char const*) | store::put",
        "store::get(int) const | store::get",
        "store::get(int) const [clone .isra.0] | store::get",
        "(anonymous namespace)::helper(int) | helper",
        "store::(anonymous namespace)::helper() | store::helper",
        "void swap_in<int>(int&) | swap_in<int>",
        "unsigned long hash_of<unsigned long>(unsigned long) | hash_of<unsigned long>",
        "std::vector<int, std::allocator<int> >::push_back(int&&) | std::vector<int>::push_back",
        "map<int, std::vector<int, std::allocator<int> > >::insert(int)"
            + " | map<int, std::vector<...>>::insert",
        "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::size()"
            + " | std::string::size",
        "put(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >) | put",
        "name[abi:cxx11](int) | name",
        "list::operator[](unsigned long) | list::operator[]",
        "list::operator()(unsigned long) const | list::operator()",
        "operator new(unsigned long) | operator new",
        "bool operator< <int>(list<int> const&, list<int> const&) | operator<<int>",
        "std::ostream& operator<<(std::ostream&, list const&) | operator<<",
        "smart<node>::operator->() const | smart<node>::operator->",
        "flag::operator bool() const | flag::operator bool",
        "main::{lambda(int)#1}::operator()(int) const | main::{lambda}::operator()",
        "pool::h0123456789abcdef | pool",
        "pool::run::{{closure}} | pool::run::{{closure}}",
        "{closure#0}<0> | {closure#0}<0>",
        "do_call<pool::run::{closure_env#1}, ()> | do_call<pool::run::{closure_env#1}, ()>",
      })
  void nameShouldBeShortAndStillTellWhatItIs(String full, String shown) {
    assertThat(ShortName.of(full)).isEqualTo(shown);
  }

  @Test
  void veryLongNameShouldFitIntoALine() {
    String nested = "a<".repeat(3_000) + "int" + ">".repeat(3_000);

    assertThat(ShortName.of(nested + "::insert(int)")).isEqualTo("a<a<...>>::insert");
    assertThat(ShortName.of("x".repeat(5_000))).hasSizeLessThan(100);
    assertThat(ShortName.of("f<" + "some_type, ".repeat(50) + "int>::insert()"))
        .isEqualTo("f<...>::insert");
  }

  @Test
  void nameThatIsNoneShouldNotGetLost() {
    assertThat(ShortName.of("(((")).isEqualTo("(((");
    assertThat(ShortName.of("<<<>")).isNotEmpty();
    assertThat(ShortName.of("")).isEmpty();
  }
}
