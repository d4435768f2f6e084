// SPDX-License-Identifier: Apache-2.0
package io.powercut.maven;

import io.powercut.api.Outcome;
import io.powercut.api.Powercut;
import java.io.File;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/**
 * Runs campaigns, one after the other. The build fails unless each run is clean: because of a bug,
 * with the command that replays it, and also because nothing could be tested.
 */
@Mojo(name = "run", defaultPhase = LifecyclePhase.VERIFY)
public final class RunMojo extends AbstractMojo {
  private static final int WRONG_CAMPAIGN = 2;

  /** The campaign files; a relative path begins at the module's folder. */
  @Parameter(property = "powercut.campaigns", required = true)
  List<File> campaigns = List.of();

  /** Keys of the campaigns that are set, such as {@code parameters.operations}. */
  @Parameter Map<String, String> set = Map.of();

  /** Where run directories are made. */
  @Parameter(
      property = "powercut.runs",
      defaultValue = "${project.build.directory}/powercut-runs",
      required = true)
  File runs = new File("");

  /**
   * The command {@code powercut}; without it, the one that the environment variable {@code
   * POWERCUT} names, or else the first one on the {@code PATH}.
   */
  @Parameter(property = "powercut.command")
  @Nullable File command;

  /** Whether nothing is run. */
  @Parameter(property = "powercut.skip", defaultValue = "false")
  boolean skip;

  /** Whether the build goes on where bugs are found. Runs that test nothing still fail it. */
  @Parameter(property = "powercut.testFailureIgnore", defaultValue = "false")
  boolean testFailureIgnore;

  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    if (skip) {
      getLog().info("powercut: skipped");
      return;
    }
    Powercut powercut = powercut();
    int failed = 0;
    for (File campaign : campaigns) {
      failed += run(powercut, campaign) ? 0 : 1;
    }
    if (failed > 0) {
      throw new MojoFailureException(
          failed + " of " + campaigns.size() + " campaigns failed; see above, and " + runs);
    }
  }

  private Powercut powercut() throws MojoExecutionException {
    try {
      Powercut powercut = command == null ? Powercut.installed() : Powercut.at(command.toPath());
      powercut = powercut.runs(runs.toPath());
      for (Map.Entry<String, String> entry : set.entrySet()) {
        powercut = powercut.set(entry.getKey(), entry.getValue());
      }
      return powercut;
    } catch (IllegalStateException | IllegalArgumentException e) {
      throw new MojoExecutionException(e.getMessage(), e);
    }
  }

  /** Whether the build may go on. */
  private boolean run(Powercut powercut, File campaign) throws MojoExecutionException {
    getLog().info("powercut: " + campaign);
    Outcome outcome;
    try {
      outcome = powercut.run(campaign.toPath());
    } catch (UncheckedIOException | IllegalStateException e) {
      throw new MojoExecutionException(e.getMessage(), e);
    }
    if (outcome.exitCode() == WRONG_CAMPAIGN) {
      throw new MojoExecutionException(outcome.describe());
    }
    boolean goesOn = outcome.isClean() || (testFailureIgnore && outcome.exitCode() == 1);
    for (String line : outcome.describe().lines().toList()) {
      if (outcome.isClean()) {
        getLog().info(line);
      } else if (goesOn) {
        getLog().warn(line);
      } else {
        getLog().error(line);
      }
    }
    return goesOn;
  }
}
