#!/bin/sh
# Makes one run of the parts of slurm-part.sh. Its exit code is that of the campaign.
#SBATCH --job-name=powercut-merge
#SBATCH --mem=2G
#SBATCH --time=00:30:00
set -u
set -- part-*/*/latest
powercut merge "$@"
