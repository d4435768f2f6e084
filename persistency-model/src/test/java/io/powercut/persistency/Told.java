// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency;

import io.powercut.trace.FileAttributes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Notes what it is told, a line each. */
final class Told implements PersistentFiles {
  final List<String> lines = new ArrayList<>();

  private void note(Object... words) {
    lines.add(String.join(" ", List.of(words).stream().map(String::valueOf).toList()));
  }

  @Override
  public void define(int file, Origin origin, String path, long size) {
    note("define", file, origin, path, size);
  }

  @Override
  public void store(int file, long offset, int size, ByteBuffer bytes, int position) {
    byte[] stored = new byte[size];
    bytes.get(position, stored);
    note("store", file, offset, new String(stored, StandardCharsets.US_ASCII));
  }

  @Override
  public void resize(int file, long size) {
    note("resize", file, size);
  }

  @Override
  public void zero(int file, long offset, long length) {
    note("zero", file, offset, length);
  }

  @Override
  public void rename(int file, String path) {
    note("rename", file, path);
  }

  @Override
  public void moveOut(int file) {
    note("moveOut", file);
  }

  @Override
  public void link(int file, String path) {
    note("link", file, path);
  }

  @Override
  public void delete(int file, String path, boolean hasOtherNames) {
    note("delete", file, path, hasOtherNames);
  }

  @Override
  public void createDirectory(String path) {
    note("createDirectory", path);
  }

  @Override
  public void deleteDirectory(String path) {
    note("deleteDirectory", path);
  }

  @Override
  public void renameDirectory(String from, String to) {
    note("renameDirectory", from, to);
  }

  @Override
  public void createSymbolicLink(String path, String target) {
    note("createSymbolicLink", path, target);
  }

  @Override
  public void setAttributes(int file, String path, FileAttributes attributes) {
    note("setAttributes", file, path, attributes);
  }
}
