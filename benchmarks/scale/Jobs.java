// SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** Prints how long the driver takes for a job of one task that does nothing, with many at a time. */
public final class Jobs {
  private static final int THREADS = 16;
  private static final int JOBS = 800;

  private Jobs() {}

  public static void main(String[] arguments) throws Exception {
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("jobs"))) {
      run(spark, JOBS / 2);
      long begin = System.nanoTime();
      run(spark, JOBS);
      System.out.println("seconds a job: " + (System.nanoTime() - begin) / 1e9 / JOBS);
    }
  }

  private static void run(JavaSparkContext spark, int jobs) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<Long>> all = new ArrayList<>();
    for (int job = 0; job < jobs; job++) {
      all.add(threads.submit(() -> spark.parallelize(List.of(1), 1).count()));
    }
    for (Future<Long> one : all) {
      one.get();
    }
    threads.shutdown();
  }
}
