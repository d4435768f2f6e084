// SPDX-License-Identifier: Apache-2.0
package io.powercut.spark;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.broadcast.Broadcast;

/** An archive that units need, as an executor gets it. */
sealed interface Input extends Serializable {
  /** Names it among all inputs of a sweep. */
  String name();

  /** Brings it to this machine. */
  void copyTo(Path file) throws IOException;

  /** No unit needs it any more; the driver calls this. */
  void destroy();

  /** Spark sends it to each executor once, and executors to each other. */
  record Sent(Broadcast<byte[]> contents) implements Input {
    @Override
    public String name() {
      return Long.toString(contents.id());
    }

    @Override
    public void copyTo(Path file) throws IOException {
      Files.write(file, contents.value());
    }

    @Override
    public void destroy() {
      contents.destroy();
    }
  }

  /**
   * It lies in a file system that all machines reach; any that Hadoop knows.
   *
   * @param url of the file
   */
  record Shipped(String name, String url) implements Input {
    /** Makes a folder there. */
    static void create(String folder) throws IOException {
      try (FileSystem there = FileSystem.newInstance(URI.create(folder), new Configuration())) {
        there.mkdirs(remote(folder));
      } catch (IllegalArgumentException e) {
        throw new IOException(e.getMessage(), e);
      }
    }

    /** Copies a file of the driver there. */
    static Shipped ship(Path file, String folder, String name) throws IOException {
      String url = folder + "/" + name;
      try (FileSystem there = FileSystem.newInstance(URI.create(url), new Configuration())) {
        there.copyFromLocalFile(false, true, local(file), remote(url));
      }
      return new Shipped(name, url);
    }

    @Override
    public void copyTo(Path file) throws IOException {
      try (FileSystem there = FileSystem.newInstance(URI.create(url), new Configuration())) {
        there.copyToLocalFile(false, remote(url), local(file), true);
      }
    }

    @Override
    public void destroy() {
      try {
        remove(url);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Removes a file or a folder with all that is in it. */
    static void remove(String url) throws IOException {
      try (FileSystem there = FileSystem.newInstance(URI.create(url), new Configuration())) {
        there.delete(remote(url), true);
      }
    }

    private static org.apache.hadoop.fs.Path local(Path file) {
      return new org.apache.hadoop.fs.Path(file.toUri());
    }

    private static org.apache.hadoop.fs.Path remote(String url) {
      return new org.apache.hadoop.fs.Path(url);
    }
  }
}
