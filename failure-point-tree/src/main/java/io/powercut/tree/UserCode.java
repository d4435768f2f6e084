// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import io.powercut.tree.language.GoCode;
import io.powercut.tree.language.OcamlCode;
import io.powercut.tree.language.PascalCode;
import io.powercut.tree.source.LocalObjects;
import io.powercut.tree.source.ReturnedValue;
import io.powercut.tree.source.Setters;
import io.powercut.tree.source.SourceFunctions;
import io.powercut.tree.source.WordsOfDeeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which frame of a call stack is the user's code: the innermost one that is not in a system
 * library, and does not only store, persist or copy what others tell it to, or end the program.
 *
 * <p>The name of a function shows whether it only persists or copies: all of its words have to
 * speak of that, so {@code pm_persist} and {@code nt_store64} do, {@code persist_node} and {@code
 * flush_log} do not. Where its source shows that it stores something of its own, it does more,
 * whatever it is called. {@linkplain Setters} store, persist or write for their callers, whatever
 * they are called. So does what only calls one that stores or writes in another file: the stack
 * says which. Nor is a method the user's code that was inlined and only changes a {@linkplain
 * LocalObjects local object} of its caller's, nor a line that only computes a {@linkplain
 * ReturnedValue value to be returned}. Where a function is defined does not matter: templates in a
 * header are code like any other.
 */
public final class UserCode {
  private static final Pattern SYSTEM_MODULE =
      Pattern.compile(
          "(?:libc|ld|ld-linux.*|libm|libmvec|libpthread|librt|libstdc\\+\\+|libc\\+\\+|libgcc_s"
              + "|libpmem.*|libvmem.*|libpmemobj.*|libasan|vgpreload.*|linux-vdso"
              + "|libpowercut-race|libgnat|libgnarl|libgfortran|libquadmath|libgomp|libgphobos|libgdruntime"
              + "|libphobos2.*|libdruntime.*|libgo)"
              + "(?:-[0-9.]+)?\\.so(?:\\..*)?");
  private static final Pattern SYSTEM_FILE =
      Pattern.compile(
          "/usr/(?:include|lib|local/include|src/(?:debug|glibc|gcc|linux)[^/]*)/.*"
              + "|\\./.*/sysdeps/.*|.*/glibc-.*|.*/race-runtime/headers/.*");

  /** Files that may hold code of others, as headers do: those of C and C++, and those of Go. */
  private static final Pattern MAY_BE_INLINED =
      Pattern.compile(".*\\.(?:[ch](?:h|c|xx|pp|\\+\\+)?|[it]pp|tcc|inl?|go|s)|.*/[^/.]+");

  /**
   * Sources of Rust's own libraries, whose functions are compiled into every program. Debuggers may
   * give them without the folder in which they were compiled.
   */
  private static final Pattern RUST_LIBRARY =
      Pattern.compile(
          "(?:(?:/rustc/[0-9a-f]+|.*/rustlib/src/rust)/)?library/"
              + "(?:alloc|core|panic_abort|panic_unwind|std|std_detect|test|unwind)/.*"
              + "|(?:/rustc/[0-9a-f]+|.*/rustlib/src/rust)/library/.*");

  /** Functions of Ada's own library, and its sources. */
  private static final Pattern ADA_LIBRARY = Pattern.compile("(?:ada|gnat|interfaces|system)__.*");

  private static final Pattern ADA_LIBRARY_SOURCE =
      Pattern.compile("|(?:.*/)?[agis]-\\w+\\.ad[bs]");

  /** Sources of the C library, as its debug information names them: paths in its source tree. */
  private static final Pattern C_LIBRARY =
      Pattern.compile(
          "\\.\\./sysdeps/.*|\\./(?:assert|csu|debug|io|libio|malloc|misc|nptl|posix|setjmp|signal"
              + "|stdlib|string|sysdeps)/.*|.*/(?:glibc|gcc)-[0-9][^/]*/.*");

  /**
   * Functions that end the program or a thread because of what another one saw, and those in which
   * threads wait. In a static program they are in the program's own file.
   */
  private static final String ENDING =
      "_*(?:GI_)?_*(?:abort|raise|gsignal|tgkill|terminate|panic|assert_fail(?:_base)?"
          + "|assert_perror_fail|assert_rtn|stack_chk_fail(?:_local)?|chk_fail|fortify_fail"
          + "|libc_(?:message|fatal)(?:_impl)?|malloc_printerr|cxa_(?:throw|rethrow|bad_cast)"
          + "|pthread_.*|start_thread|lll_lock_.*|futex_.*)"
          + "|rust_(?:panic.*|begin_unwind|abort|start_panic)|__rust_.*"
          + "|core::(?:panicking::.*|(?:option|result)::(?:unwrap|expect)_failed.*)"
          + "|alloc::(?:alloc::handle_alloc_error.*|raw_vec::.*)|(?:panic_abort|panic_unwind)::.*"
          + "|runtime\\.(?:raise|dieFromSignal|crash|fatal.*|throw|gopanic|panic.*|sig.*)";

  private static final Pattern SYSTEM_FUNCTION =
      Pattern.compile(
          "(?:std|__gnu_cxx|__cxxabiv1|pmem::obj|pmem::detail)::.*"
              + "|__(?:atomic|sync|builtin)_.*"
              + "|_mm(?:256|512)?_.*"
              + "|_*(?:mem(?:cpy|move|set|pcpy|ccpy)|bcopy|bzero|strn?cpy|strn?cat|stpn?cpy)(?:_.*)?"
              + "|runtime\\.mem(?:move|clr).*"
              + "|(?:pmem2?|pmemobj|pmemblk|pmemlog)_.*"
              + "|"
              + ENDING);

  /**
   * Operators that assign, which store for their callers unless their source shows that they do
   * more.
   */
  private static final Pattern ASSIGNING =
      Pattern.compile("operator(?:=|\\+=|-=|\\*=|/=|%=|&=|\\|=|\\^=|<<=|>>=|\\+\\+|--)");

  private static final Pattern CALLED = Pattern.compile("(?:^|::)operator\\(\\)");

  /**
   * Of these, names that users may give to their own functions, too: the C library's functions have
   * no more words.
   */
  private static final Pattern MAY_BE_OF_USER =
      Pattern.compile(
          "(?:mem(?:cpy|move|set|pcpy|ccpy)|bcopy|bzero|strn?cpy|strn?cat|stpn?cpy)_.*"
              + "|(?:pmem2?|pmemobj|pmemblk|pmemlog)_.*"
              + "|panic|abort|raise|terminate");

  /** Sources of libraries that are compiled into programs, whose functions have such names. */
  private static final Pattern LIBRARY_SOURCE =
      Pattern.compile(
          ".*/(?:libpmem\\w*|libpmemobj[^/]*|libvmem|libvmmalloc|librpmem|(?:pmdk|nvml|musl|glibc|newlib)[^/]*)/.*");

  /** The kernel's frame, as debuggers write it. */
  private static final String SIGNAL_FRAME = "<signal handler called>";

  /**
   * What the answer for a frame depends on.
   *
   * @param line 0 unless there are several functions of that name
   * @param isInstalled whether it is the program's own, although its file is among the libraries
   */
  private record Named(
      String function, String file, int line, String module, boolean isInstalled) {}

  /**
   * The answers for a frame.
   *
   * @param isOneOfSeveral whether the line tells which of the functions of that name it is
   */
  private record Kind(boolean ofProgram, boolean persistsOrCopies, boolean isOneOfSeveral) {}

  /** Programs have few functions, and reports ask for each of them thousands of times. */
  private static final LoadingCache<Named, Kind> KINDS =
      CacheBuilder.newBuilder().maximumSize(10_000).build(CacheLoader.from(UserCode::newKind));

  /** The answers for source files, of which there are even fewer. */
  private static final LoadingCache<String, Boolean> OF_SYSTEM =
      CacheBuilder.newBuilder()
          .maximumSize(10_000)
          .build(CacheLoader.from(UserCode::matchesSystem));

  /** A function, and another one that it calls. */
  private record Passed(LocalObjects.Place caller, LocalObjects.Place called) {}

  private static final LoadingCache<Passed, Boolean> PASSED_ON =
      CacheBuilder.newBuilder()
          .maximumSize(10_000)
          .build(CacheLoader.from(one -> Setters.passOnTo(one.caller(), one.called())));

  private UserCode() {}

  /**
   * A function in a call stack, and where it is; an inlined one is at the address of its caller.
   */
  public interface Function {
    /** Its name, demangled; empty when unknown. */
    String function();

    /** Its source file; empty when unknown. */
    String file();

    /** A line of it in that file, from 1; 0 when unknown. */
    int line();

    /** The base name of its binary or library. */
    String module();

    /** The address in the module, in any form. */
    String address();
  }

  /** Whether a function is the program's own, as far as its name, its file and its binary tell. */
  public static boolean isOfProgram(Function frame) {
    return kindOf(frame, false).ofProgram();
  }

  /** The place in a call stack that is the user's. */
  public static CodePlace placeOf(CallStack stack) {
    List<CodePlace> all =
        stack.framesOfProgram().stream().flatMap(frame -> CodePlace.of(frame).stream()).toList();
    return of(all).orElseGet(() -> CodePlace.of(stack.innermost()).get(0));
  }

  /**
   * The frame of the user's code. When no frame is, the outermost function that only persists or
   * copies: a thread or a coroutine may begin in one. Without such a function, the innermost frame
   * that has a source file, and without any the innermost one. Where all that the user's code does
   * is to start a program of Python that was installed as a package, that package is the user's.
   *
   * @param stack innermost first; inlined functions are separate frames
   * @return nothing when the stack is empty
   */
  public static <F extends Function> Optional<F> of(List<F> stack) {
    Optional<F> user = of(stack, Optional.empty());
    Optional<String> installed = user.flatMap(found -> PythonCode.programIn(stack, found));
    return installed.isEmpty() ? user : of(stack, installed);
  }

  private static <F extends Function> Optional<F> of(List<F> stack, Optional<String> installed) {
    List<F> ofProgram = new ArrayList<>();
    Optional<F> helper = Optional.empty();
    for (int index = 0; index < stack.size(); index++) {
      F frame = stack.get(index);
      boolean isInlined =
          index + 1 < stack.size() && frame.address().equals(stack.get(index + 1).address());
      boolean isInstalled =
          installed.filter(program -> PythonCode.isIn(program, frame.file())).isPresent();
      Kind kind = kindOf(frame, isInstalled);
      if (kind.ofProgram()
          && !isRuntimeOfOcaml(stack.subList(index, stack.size()))
          && !(isOfSystem(frame.file()) && !isInstalled && (isInlined || isDefinedThere(frame)))) {
        if (!kind.persistsOrCopies()
            && helper.filter(called -> passesOn(frame, called)).isEmpty()
            && !(isInlined && LocalObjects.change(place(frame), place(stack.get(index + 1))))
            && !(isInlined && isReturned(stack.subList(0, index + 1)))) {
          return Optional.of(frame);
        }
        ofProgram.add(frame);
        helper = Optional.of(frame);
      } else {
        helper = Optional.empty();
      }
    }
    return ofProgram.isEmpty()
        ? innermost(stack)
        : Optional.of(ofProgram.get(ofProgram.size() - 1));
  }

  /**
   * Whether the source of a function in a call stack is known, which may only call the user's code.
   */
  public static boolean hasSource(List<? extends Function> stack) {
    return stack.stream().anyMatch(frame -> !frame.file().isEmpty() && !isOfSystem(frame.file()));
  }

  /**
   * A stack without the innermost functions that were inlined and are at a line which changes
   * nothing and returns something: they make no store. Only a load can be their own.
   */
  public static <F extends Function> List<F> ofStore(List<F> stack) {
    int first = 0;
    while (first + 1 < stack.size()
        && stack.get(first).address().equals(stack.get(first + 1).address())
        && isUnchanging(stack, first)) {
      first++;
    }
    return stack.subList(first, stack.size());
  }

  private static boolean isUnchanging(List<? extends Function> stack, int index) {
    LocalObjects.Place place = place(stack.get(index));
    return index == 0
        ? ReturnedValue.changesNothingAt(place)
        : ReturnedValue.isPassedOnAt(place, place(stack.get(index - 1)).function());
  }

  /** Others may have functions of such names, so it counts what calls them. */
  private static boolean isRuntimeOfOcaml(List<? extends Function> stack) {
    int runtime = 0;
    while (runtime < stack.size()
        && OcamlCode.mayBeRuntime(stack.get(runtime).function(), stack.get(runtime).file())) {
      runtime++;
    }
    return runtime > 0
        && runtime < stack.size()
        && OcamlCode.isCompiled(stack.get(runtime).function());
  }

  /** Whether all of these only compute a value, or pass it on. */
  private static boolean isReturned(List<? extends Function> inlined) {
    for (int index = 0; index < inlined.size(); index++) {
      LocalObjects.Place place = place(inlined.get(index));
      boolean isReturned =
          index == 0
              ? ReturnedValue.isAt(place)
              : ReturnedValue.isPassedOnAt(place, place(inlined.get(index - 1)).function());
      if (!isReturned) {
        return false;
      }
    }
    return true;
  }

  /** Whether it only calls a function of another file, which does it for others. */
  private static boolean passesOn(Function frame, Function called) {
    return !frame.file().isEmpty()
        && !frame.file().equals(called.file())
        && PASSED_ON.getUnchecked(new Passed(place(frame), place(called)));
  }

  private static LocalObjects.Place place(Function frame) {
    return new LocalObjects.Place(
        frame.file(), FunctionName.of(frame.function()).simple(), frame.line());
  }

  private static <F extends Function> Optional<F> innermost(List<F> stack) {
    return stack.stream()
        .filter(frame -> !frame.file().isEmpty())
        .findFirst()
        .or(() -> stack.stream().findFirst());
  }

  /**
   * Whether a function that is not inlined belongs to the file that debug information places it in.
   * Where that does not tell what was inlined into it, it may show a header for a function of the
   * user's.
   */
  private static boolean isDefinedThere(Function frame) {
    if (!MAY_BE_INLINED.matcher(frame.file()).matches()) {
      return true;
    }
    FunctionName name = FunctionName.of(frame.function());
    return SourceFunctions.haveLine(frame.file(), name.scope(), name.simple(), frame.line());
  }

  /**
   * Whether a binary is a library of the system, of which the user changes nothing: the C library,
   * for example, or PMDK.
   *
   * @param module its base name
   */
  public static boolean isSystemModule(String module) {
    return SYSTEM_MODULE.matcher(module).matches();
  }

  /** Whether a source file is a header of the system, or a source of a library's. */
  public static boolean isOfSystem(String file) {
    return OF_SYSTEM.getUnchecked(file);
  }

  /** Whether a function of a program comes with the compiler of its language. */
  public static boolean isOfLanguage(String function, String file, String module) {
    return isOfLibrary(new Named(function, file, 0, module, false));
  }

  private static boolean matchesSystem(String file) {
    return SYSTEM_FILE.matcher(file).matches() || isOfRust(file) || PythonCode.isLibrary(file);
  }

  private static boolean isOfRust(String file) {
    return RUST_LIBRARY.matcher(file).matches();
  }

  private static boolean isOfAda(Named frame) {
    return ADA_LIBRARY.matcher(frame.function()).matches()
        && ADA_LIBRARY_SOURCE.matcher(frame.file()).matches();
  }

  /**
   * Whether the source is a library's. What looks like a folder of the C library's sources may be
   * one of the user's, unless nothing tells the binary.
   */
  private static boolean isOfLibrary(Named frame) {
    return isOfRust(frame.file())
        || PythonCode.isLibrary(frame.file())
        || GoCode.isLibrary(frame.function(), frame.file())
        || OcamlCode.isLibrary(frame.function(), frame.file())
        || PascalCode.isLibrary(frame.function(), frame.file())
        || isOfAda(frame)
        || frame.function().equals(SIGNAL_FRAME)
        || (frame.module().isEmpty() && C_LIBRARY.matcher(frame.file()).matches());
  }

  private static Kind kindOf(Function frame, boolean isInstalled) {
    Kind kind = kindOf(frame, 0, isInstalled);
    return kind.isOneOfSeveral() ? kindOf(frame, frame.line(), isInstalled) : kind;
  }

  private static Kind kindOf(Function frame, int line, boolean isInstalled) {
    return KINDS.getUnchecked(
        new Named(frame.function(), frame.file(), line, frame.module(), isInstalled));
  }

  private static Kind newKind(Named frame) {
    FunctionName name = FunctionName.of(frame.function());
    boolean storesItsOwn = storesItsOwn(frame, name);
    boolean isOfProgram = isOfProgram(frame, name, storesItsOwn);
    boolean doesItForOthers =
        (WordsOfDeeds.onlyPersistOrCopy(name.words()) && !storesItsOwn)
            || (isOfProgram
                && Setters.contain(frame.file(), nameInSource(frame, name), frame.line()));
    return new Kind(
        isOfProgram,
        doesItForOthers,
        isAssigning(name)
            || ((isOfProgram || MAY_BE_OF_USER.matcher(name.qualified()).matches())
                && Setters.isAmbiguous(frame.file(), nameInSource(frame, name))));
  }

  /** That of a lambda is of the function around it, which its source calls otherwise. */
  private static String nameInSource(Named frame, FunctionName name) {
    return CALLED.matcher(frame.function()).find() ? "operator()" : name.simple();
  }

  /** Where the source is there, it tells more than the name. */
  private static boolean storesItsOwn(Named frame, FunctionName name) {
    return (frame.isInstalled() || !isOfSystem(frame.file()))
        && !LIBRARY_SOURCE.matcher(frame.file()).matches()
        && Setters.storeTheirOwn(frame.file(), name.simple(), frame.line());
  }

  private static boolean isOfProgram(Named frame, FunctionName name, boolean storesItsOwn) {
    return !isSystemModule(frame.module())
        && !PythonCode.isModule(frame.module())
        && (frame.isInstalled() || !isOfLibrary(frame))
        && (!SYSTEM_FUNCTION.matcher(name.qualified()).matches()
            || (storesItsOwn && MAY_BE_OF_USER.matcher(name.qualified()).matches()))
        && (!isAssigning(name)
            || Setters.isOperatorOfItsOwn(frame.file(), name.simple(), frame.line()));
  }

  private static boolean isAssigning(FunctionName name) {
    return ASSIGNING.matcher(name.simple()).matches();
  }
}
