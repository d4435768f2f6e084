#!/bin/sh
# One campaign as a job array: sbatch --array=1-8 slurm-part.sh campaign.yaml, in a folder that all nodes share. Then
# sbatch --dependency=afterok:JOB slurm-merge.sh
#SBATCH --job-name=powercut
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --time=04:00:00
set -u
part="part-$SLURM_ARRAY_TASK_ID"
rm -rf "$part"
# 1 is a finding: the merged run decides.
powercut run "$1" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --runs "$part" \
  --set limits.parallel="${SLURM_CPUS_PER_TASK:-2}" || [ $? -eq 1 ]
