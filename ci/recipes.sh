#!/usr/bin/env bash
# Checks the recipes of addr-recover/docs/scaling.md that no test runs: the script for Slurm with
# the linter, and with `sbatch --test-only` on a machine with a cluster; the Kubernetes job against
# the schema of its version, which kubernetes-validate on PyPI contains.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The first code block of this language after this heading.
block() {
    awk -v heading="## $1" -v fence="\`\`\`$2" '
        $0 == heading { found = 1 }
        found && inside && $0 == "```" { exit }
        found && inside
        found && $0 == fence { inside = 1 }
    ' addr-recover/docs/scaling.md
}

block Slurm sh > "$folder/part.sh"
grep -q '#SBATCH' "$folder/part.sh"
shellcheck "$folder/part.sh"
if command -v sbatch > /dev/null && sinfo > /dev/null 2>&1; then
    ADDRESS=1 sbatch --test-only "$folder/part.sh"
fi

block Kubernetes yaml > "$folder/job.yaml"
grep -q 'kind: Job' "$folder/job.yaml"
python3 -m venv "$folder/venv" || { echo "skipped: Python has no venv"; exit 77; }
"$folder/venv/bin/pip" install --quiet kubernetes-validate==1.37.0
"$folder/venv/bin/kubernetes-validate" --strict "$folder/job.yaml"
