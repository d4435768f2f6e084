// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WritingBodyTest {
  /** Of a file with three functions. */
  private record Others(boolean maySync) implements WritingBody.Others {
    @Override
    public boolean areHere(String function) {
      return Set.of("xwrite", "write_record", "wait_a_bit").contains(function);
    }

    @Override
    public boolean write(String function) {
      return function.equals("xwrite");
    }

    @Override
    public boolean wait(String function) {
      return function.equals("wait_a_bit");
    }

    @Override
    public boolean sync(String function) {
      return maySync && function.equals("sync_it");
    }
  }

  /** The parameters, and then the body. */
  private static WritingBody body(String function) {
    return body(function, false);
  }

  private static WritingBody body(String function, boolean maySync) {
    String[] parts = function.split(" @ ");
    return new WritingBody(
        new FunctionBody(parts[1], Set.copyOf(Splitter.on(' ').splitToList(parts[0])), false),
        new Others(maySync));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fd buf n @ const char *p = buf; while (n > 0) { ssize_t w = write(fd, p, n); if (w < 0)"
            + " { if (errno == EINTR) continue; return -1; } p += w; n -= w; } return 0;",
        "fd buf n @ const char *p; size_t left = n; for (p = (const char *)buf; left; p += w)"
            + " { w = write(fd, p, left); if (w <= 0) die(); left -= w; }",
        "fd buf n @ size_t done = 0; while (done < n) { ssize_t w = write(fd, (const char *)buf + done,"
            + " n - done); if (w < 0) return false; done += w; } return true;",
        "fd buf n @ for (;;) { ssize_t w = write(fd, buf, n > MOST ? MOST : n); if (w < 0 && errno =="
            + " EAGAIN) { struct pollfd p = { .fd = fd, .events = POLLOUT }; poll(&p, 1, -1); continue; }"
            + " return w; }",
        "fd buf n @ do { w = write(fd, buf, n); if (w < 0) { struct timeval t; t.tv_sec = 1; fd_set s;"
            + " FD_ZERO(&s); FD_SET(fd, &s); select(fd + 1, NULL, &s, NULL, &t); } } while (w < 0);",
        "fd buf n @ while (write(fd, buf, n) < 0) wait_a_bit(fd);",
        "fd buf n at @ const char *p = buf; while (n) { size_t some = MIN(n, MOST); ssize_t w = pwrite64("
            + "fd, p, some, at); if (w < 0) { perror(0); exit(1); } p += w; at += w; n -= w; }",
        "fd buf n at @ size_t done = 0; while (done < n) { r = pwrite(fd, (char *)buf + done, n - done,"
            + " (off_t)(at + done)); if (r < 0) return -errno; done += r; }",
        "fd iov count @ while (count > 0) { ssize_t w = writev(fd, iov, count); while (count && w >="
            + " iov->iov_len) { w -= iov->iov_len; iov++; count--; } iov->iov_base = (char *)iov->iov_base"
            + " + w; iov->iov_len -= w; }",
        "p size n f @ const char *at = p; while (n) { size_t w = fwrite(at, size, n, f); if (!w &&"
            + " ferror(f)) fatal_error(0); n -= w; at += w; }",
        "f p n @ if (fwrite(p, 1, n, f->file) != n) throw std::runtime_error( );",
        "data n @ const char *p = static_cast<const char *>(data); while (n) { ssize_t w = ::write(fd_,"
            + " p, n); if (w < 0) throw std::system_error(errno, std::generic_category()); p += w; n -= w; }",
        "text @ size_t done = 0; while (done < text.size()) { auto w = ::write(fd_, text.data() + done,"
            + " text.size() - done); if (w < 0) { std::this_thread::sleep_for(1ms); continue; } done += w; }",
        "file p n @ int fd = file->fd; const char *at = p; while (n) { w = write(fd, at, n); at += w; }",
        "fd buf n @ const char *p = buf; while (n) { ssize_t w = xwrite(fd, p, n); p += w; n -= w; }",
        "fd buf n @ const char *p = buf; while (n) { ssize_t w = safe_write(fd, p, n); p += w; n -= w; }",
        "p n @ while (n > 0) { long w = writeSome(p, n); p += w; n -= w; }",
        "fd buf n @ const char *p = buf; while (n) { w = write(fd, p, n); stats.calls++; p += w; n -= w; }",
        "v at @ if (pwrite(fd, &v, 8, at) != 8) die( );",
        "c buf n at @ log_debug( , n); trace_write(c, n); ssize_t w = pwrite(c->fd, buf, n, at);"
            + " if (w < 0) { goto out; } out: LOG_ERROR( , strerror(errno)); return -errno;",
        "c buf n at @ if (pwrite(c->fd, buf, n, at) != n) return -1; c->stats.writes++; c->stats.bytes += n;",
        "log buf n @ const char *p = buf; write(log->fd, p, n); log->end += n;",
        "buf n at @ std::lock_guard<std::mutex> g(m_); ssize_t w = ::pwrite(fd_, buf, n, at); stats_.bytes += w;",
        "bytes @ while (!bytes.empty()) { n = ::write(fd_, bytes.data(), bytes.size()); bytes = bytes.subspan(n); }",
        "c buf n at @ int rc; rc = xwrite(c, buf, n, at); if (rc) return rc; return 0;",
        "file no page @ return pwrite(file->fd, page, PAGE_SIZE, (off_t)no * PAGE_SIZE) == PAGE_SIZE ? 0 : -1;",
        "file no page @ off_t at = no * file->page_size; return pwrite(file->fd, page, file->page_size, at);",
        "self no page @ self.file.write_all_at(page, no as u64 * PAGE_SIZE as u64)?; Ok(())",
        "self at v @ debug!( , at); self.file.write_all_at(&v.to_le_bytes(), at)",
        "f k v @ fprintf(f,  , k, v);",
        "f s @ return fputs(s, f) == EOF ? -1 : 0;",
        "log fmt @ va_list ap; va_start(ap, fmt); vfprintf(log->f, fmt, ap); va_end(ap); fflush(log->f);",
        "fd k v @ if (dprintf(fd,  , k, v) < 0) return -1; return 0;",
        "fd at v @ if (pwrite(fd, &v, sizeof v, at) != sizeof v) { perror( ); exit(1); }",
        "fd v @ return write(fd, &v, sizeof(uint32_t)) == 4;",
        "fd a na b nb @ struct iovec v[2] = {{(void *)a, na}, {(void *)b, nb}}; if (writev(fd, v, 2) !="
            + " (ssize_t)(na + nb)) abort();",
        "fd a n at @ iovec v[] = {{(void *)a, n}}; return pwritev(fd, v, 1, at);",
        "fd s at @ ::iovec v[1]; v[0].iov_base = (void *)s.data(); v[0].iov_len = s.size();"
            + " return ::pwritev(fd, v, 1, at);",
        "at parts @ iovec v[] = {{const_cast<char *>(reinterpret_cast<const char *>(parts.data())),"
            + " parts.size()}...}; return pwritev(fd_, v, sizeof...(parts), at);",
        "at parts @ iovec v[] = {{(void *)(parts.first), parts.second}...};"
            + " long n = pwritev(fd_, v, sizeof...(parts), at); must(n >= 0,  ); return n;",
        "s at @ long n = pwrite(fd_, s.data(), s.size(), at); must(n >= 0,  ); return n;",
        "s at @ check(pwrite(fd_, s.data(), s.size(), at) == (long)s.size(),  );",
        "s at @ if (pwrite(fd_, s.data(), s.size(), at) < 0) throw std::string( ) + std::to_string(at);",
        "fd a n at @ struct iovec v; v.iov_base = (void *)a; v.iov_len = n; pwritev(fd, &v, 1, at);",
        "fd s t @ iovec_t x; struct iovec v[] = {{.iov_base = s.data(), .iov_len = s.size()},"
            + " {t.data(), t.size()}}; ::writev(fd, v, 2);",
        "fd format @ char line[256]; va_list a; va_start(a, format); int n = vsnprintf(line, sizeof line,"
            + " format, a); va_end(a); if (n < 0) return -1; return write(fd, line, n) == n ? 0 : -1;",
        "fd at v @ char text[24]; int n = snprintf(text, sizeof(text),  , (unsigned long)v);"
            + " pwrite(fd, text, n, at);",
        "fd k v @ char text[24]; sprintf(text,  , k, v); write(fd, text, strlen(text));",
        "out s @ out << s;",
        "out s n @ out << s <<   << n << std::endl; if (!out) throw std::runtime_error( );",
        "s @ if (!(out_ << s.size() << std::setw(8) << s << std::flush)) fail();",
        "log s @ std::cerr << 1; log->out << s;",
      })
  void writeOfAllThatIsGivenShouldBeOne(String function) {
    assertThat(body(function).isWriteOfGiven()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fd slot @ const char *p = table[slot]; while (n) { w = write(fd, p, n); p += w; n -= w; }",
        "fd slot n @ const char *p = table + slot; while (n) { w = write(fd, p, n); p += w; n -= w; }",
        "fd buf n @ const char *p = buf; if (!n) p = zeros; write(fd, p, n);",
        "fd buf n @ struct head head = make(buf); write(fd, &head, n);",
        "fd key @ struct entry e = { .key = key }; write(fd, &e, sizeof e);",
        "fd buf n slot @ const char *p = buf; pwrite(fd, p, n, 64 * slot);",
        "fd buf n @ const char *p = buf; pwrite(fd, p, n, 0);",
        "fd buf n @ const char *p = buf; pwrite(fd, p, n, end); end += n;",
        "buf n @ const char *p = buf; while (n) { w = pwrite(fd_, p, n, end_); p += w; end_ += w; n -= w; }",
        "log buf n @ const char *p = buf; write(log->fd, p, n); log->pool->end += n;",
        "log buf n pool @ const char *p = buf; write(log->fd, p, n); pool->end += n;",
        "fd buf n log @ log_append(log, buf); write(fd, buf, n);",
        "file no @ return pwrite(file->fd, pages[no], PAGE_SIZE, no * PAGE_SIZE);",
        "file page @ return pwrite(file->fd, page, PAGE_SIZE, ROOT * PAGE_SIZE);",
        "file page no @ return pwrite(file->fd, page, PAGE_SIZE, no * 3 * PAGE_SIZE);",
        "f k v @ fprintf(f,  , k, next_number(v));",
        "f k db @ fprintf(f,  , k, db->count);",
        "k v @ fprintf(stderr,  , k, v);",
        "f k v @ fprintf(f,  , k); fprintf(f,  , v);",
        "f k v @ fprintf(files[v],  , k);",
        "fd buf n calls @ const char *p = buf; write(fd, p, n); (*calls)++;",
        "fd buf n @ const char *p = buf; while (n) { w = write(fd, p, n); p += w; n -= w; } fsync(fd);",
        "fd buf n @ const char *p = buf; write(fd, &n, 8); write(fd, p, n);",
        "name buf n @ int fd = open(name, O_WRONLY); const char *p = buf; write(fd, p, n);",
        "slot buf n @ int fd = fds[slot]; const char *p = buf; write(fd, p, n);",
        "slot buf n @ const char *p = buf; write(fds[slot], p, n);",
        "buf n @ int fd = current; const char *p = buf; write(fd, p, n);",
        "fd buf n @ char copy[64]; memcpy(copy, buf, n); const char *p = copy; write(fd, p, n);",
        "fd buf n @ const char *p = buf; buf[0] = n; write(fd, p, n);",
        "b @ while (b->n) { w = write(b->fd, b->data, b->n); b->data += w; b->n -= w; }",
        "fd buf n @ const char *p = buf; while (n) { w = write_record(fd, p, n); p += w; n -= w; }",
        "fd buf n @ save_write(fd, buf, n);",
        "fd t @ while (t) { write_entry(fd, t->log, t->n); t = t->next; }",
        "key value @ put(key, value);",
        "fd buf n @ const char *p = buf; asm( ); write(fd, p, n);",
        "fd v @ if (pwrite(fd, &v, 8, 64) != 8) die( );",
        "fd v slot @ if (pwrite(fd, &v, 8, 64 * slot) != 8) die( );",
        "fd v at @ v = next(v); pwrite(fd, &v, 8, at);",
        "fd v at @ v++; pwrite(fd, &v, 8, at);",
        "fd v at @ pwrite(fd, &v, 8, at); fdatasync(fd);",
        "fd v at @ pwrite(fd, &last, 8, at);",
        "fd p at @ pwrite(fd, &p->count, 8, at);",
        "fd a n @ struct head h = {n}; struct iovec v[2] = {{&h, sizeof h}, {(void *)a, n}}; writev(fd, v, 2);",
        "fd a n @ struct iovec v[2] = {{(void *)a, n}, {commit, n}}; writev(fd, v, 2);",
        "fd a n @ struct iovec v[2] = {{(void *)a, n}}; v[1].iov_base = pages[n]; v[1].iov_len = n;"
            + " writev(fd, v, 2);",
        "fd k @ char line[64]; int n = snprintf(line, sizeof line,  , k, sequence++); write(fd, line, n);",
        "fd k @ char line[64]; int n = snprintf(line, sizeof line,  , k->count); write(fd, line, n);",
        "fd k v @ char line[64]; int n = snprintf(line, 64,  , k); write(fd, line, n);"
            + " n = snprintf(line, 64,  , v); write(fd, line, n);",
        "fd k @ char line[64]; int n = snprintf(line, 64,  , k); line[0] = 1; write(fd, line, n);",
        "fd @ char line[64]; int n = snprintf(line, 64,  ); write(fd, line, n);",
        "out s @ out << s; out << checksum;",
        "out s @ out << s << sequence++;",
        "out s @ out << s << checksum(s);",
        "out s @ out << s; count->value++;",
        "name s @ std::ofstream out(name); out << s;",
        "s @ std::cout << s;",
        "out s @ outs[s] << s;",
      })
  void writeOfWhatOrWhereItDecidesItselfShouldBeNone(String function) {
    assertThat(body(function).isWriteOfGiven()).isFalse();
  }

  /** If it may persist that. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fd buf n at | write(fd, buf, n); return fsync(fd);               | true",
        "fd buf n at | int rc = xwrite(fd, buf, n, at); if (rc) return rc; if (fdatasync(fd) < 0) goto out; out: return rc; | true",
        "p           | if err := xwrite(p); err != nil { return err }; return w.f.Sync() | true",
        "fd v at     | xwrite(fd, &v, sizeof v, at); sync_it();            | true",
        "fd line     | fprintf(fd,  , line); fflush(fd); fsync(fileno(fd)); | true",
        "name buf n  | int fd = open(name, O_WRONLY); if (fd < 0 or write(fd, buf, n) != n) die(); close(fd); | true",
        "name buf n at | int fd = open(name, O_RDWR + O_CREAT, 0600); pwrite(fd, buf, n, at); fsync(fd); close(fd); | true",
        "dir name s n | int fd = openat(dir, name, O_WRONLY + O_CREAT + O_APPEND); write(fd, s, n); close(fd); | true",
        "name buf n  | int fd = open(name, O_WRONLY + O_CREAT, 0600); write(fd, buf, n); close(fd); | false",
        "name buf n  | int fd = open(name, O_WRONLY + O_TRUNC); write(fd, buf, n); close(fd); | false",
        "name buf n  | int fd = open(name, O_WRONLY + O_TRUNC); write(fd, buf, n); fsync(fd); close(fd); | true",
        "name s      | FILE *f = fopen(name,  ); fputs(s, f); fflush(f); fsync(fileno(f)); fclose(f); | true",
        "name s      | FILE *f = fopen(name,  ); fputs(s, f); fclose(f);    | false",
        "buf n       | int fd = open(path_of_log, O_WRONLY); write(fd, buf, n); close(fd); | false",
        "fd v at     | xwrite(fd, &v, sizeof v, at); sync_more();          | false",
        "fd v at     | xwrite(fd, &v, sizeof v, at); xwrite(fd, &v, sizeof v, at + 8); sync_it(); | false",
      })
  void writeThatIsPersistedShouldBeOneIfThatMayBe(String parameters, String body, boolean isOne) {
    String function = parameters + " @ " + body;

    assertThat(body(function, true).isWriteOfGiven()).isEqualTo(isOne);
    assertThat(body(function).isWriteOfGiven()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fd @ struct pollfd p; p.fd = fd; p.events = POLLOUT; return poll(&p, 1, -1);",
        "text @ fprintf(stderr, text); abort();",
        "text @ va_list a; va_start(a, text); if (getenv( )) vfprintf(stderr, text, a); va_end(a);",
      })
  void waitAndComplaintShouldBeOne(String function) {
    assertThat(body(function).isWait()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fd @ struct pollfd p; p.fd = fd; poll(&p, 1, -1); state->waits++;",
        "fd @ poll(0, 0, 1); fsync(fd);",
      })
  void otherShouldBeNoWait(String function) {
    assertThat(body(function).isWait()).isFalse();
  }
}
