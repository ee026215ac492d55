#!/usr/bin/env bash
# Runs the recipes of addr-recover/docs/scaling.md as they are printed there:
#
# - those of GNU parallel on this machine, and over ssh as another account of it;
# - that of Slurm on a cluster of one node;
# - the script of the Kubernetes job in place of its pods. The job is validated against the schema
#   of its version, which kubernetes-validate on PyPI contains.
#
# Each must give the answer after a part was killed and run again, and must refuse while that part
# is missing. The daemons and the account exist only while this runs. It needs Debian and root.
#
# usage: ci/recipes.sh [parallel] [ssh] [slurm] [kubernetes]; without arguments, all
set -euo pipefail
cd "$(dirname "$0")/.."
docs=$PWD/addr-recover/docs/scaling.md

# Two texts with one answer. The parts of the first run for long enough to be killed.
long='1Lbcfr7sAHTD9Cg?????TMTkV8LK4ZnX71'
short='1Lbcfr7sAHTD9Cg???3HTMTkV8LK4ZnX71'
answer=1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71
# How long a daemon lives at most, and a recipe, in seconds.
lifetime=3600
limit=900

say() { printf '%s\n' "--- $*"; }
fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}
# A recipe that cannot be run here does not stop the others. `cargo xtask` knows from the status 77
# that something was not checked.
unchecked=0
skip() {
    say "skipped: $*"
    unchecked=77
}

folder=$(mktemp -d)
# Other accounts run the program in it.
chmod 755 "$folder"
processes=() account=
clean_up() {
    for process in "${processes[@]}"; do kill "$process" 2> /dev/null || true; done
    for process in "${processes[@]}"; do wait "$process" 2> /dev/null || true; done
    [ -z "$account" ] || userdel --remove "$account" 2> /dev/null || true
    rm -rf "$folder"
}
trap clean_up EXIT

# daemon NAME COMMAND...: runs it in the background until this script ends.
daemon() {
    timeout --kill-after=10 "$lifetime" "${@:2}" > "$folder/$1.log" 2>&1 &
    processes+=($!)
}

# installed COMMAND PACKAGE...: whether the command is there, or its packages could be installed.
installed() {
    if command -v "$1" > /dev/null; then return; fi
    if [ "$(id -u)" != 0 ] || ! command -v apt-get > /dev/null; then return 1; fi
    local install=(apt-get install -y -qq --no-install-recommends "${@:2}")
    export DEBIAN_FRONTEND=noninteractive
    "${install[@]}" > /dev/null 2>&1 || { apt-get update -qq && "${install[@]}"; } > /dev/null 2>&1
}

# until_true COMMAND...: waits until the command succeeds, for a minute.
until_true() {
    local end=$((SECONDS + 60))
    until "$@" > /dev/null 2>&1; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.02
    done
}

# The first code block of this language after this heading.
block() {
    awk -v heading="## $1" -v fence="\`\`\`$2" '
        $0 == heading { found = 1 }
        found && inside && $0 == "```" { exit }
        found && inside
        found && $0 == fence { inside = 1 }
    ' "$docs"
}

# start COMMANDS: runs them in the background, in a session of their own.
start() {
    setsid timeout --kill-after=10 "$limit" sh -c "$1" > stdout 2> stderr < /dev/null &
    session=$!
    processes+=("$session")
}

# start_recipe NAME: starts the block that begins with this name.
start_recipe() {
    local text
    text=$(awk -v name="# recipe: $1" '
        inside && $0 == "```" { exit }
        $0 == name { inside = 1 }
        inside
    ' "$docs")
    [ -n "$text" ] || fail "scaling.md has no recipe $1"
    start "$text"
}

# The exit status may be 3, because such a text has another address by chance now and then.
expect_answer() {
    local status=0
    wait "$session" || status=$?
    [ "$(cat stdout)" = "$answer" ] && [[ $status = [03] ]] ||
        fail "$1: exit status $status, printed $(cat stdout), and says: $(cat stderr)"
    say "$1: $(cat stdout)"
}

# expect_refusal NAME MESSAGE
expect_refusal() {
    local status=0
    wait "$session" || status=$?
    [ "$status" = 2 ] && [ ! -s stdout ] || fail "$1: exit status $status, printed $(cat stdout)"
    grep -q -- "$2" stderr || fail "$1: expected \"$2\", but it says: $(cat stderr)"
    say "$1: $(grep -- "$2" stderr)"
}

# kill_part PART SELECTION...: kills the search for a part, as a machine that fails would.
kill_part() {
    local selection=("${@:2}" --full --oldest -- "^addr-recover .*--shard $1/8 ")
    until_true pgrep "${selection[@]}" || fail "part $1 is not searched"
    kill -KILL "$(pgrep "${selection[@]}")"
}

# enter NAME: a new folder for the files of a recipe.
enter() {
    mkdir "$folder/$1"
    cd "$folder/$1"
    export ADDRESS=$long
}

cargo build --quiet --locked -p addr-recover --bin addr-recover
mkdir "$folder/bin"
cp "${CARGO_TARGET_DIR:-target}/debug/addr-recover" "$folder/bin/"
export PATH=$folder/bin:$PATH XDG_STATE_HOME=$folder/state

run_parallel() {
    enter parallel
    ADDRESS=$short start_recipe parallel
    expect_answer parallel
    start_recipe parallel
    kill_part 3 --session "$session"
    expect_refusal "parallel without part 3" "1 of 8 parts are missing, first part 3"
    (
        unset ADDRESS
        start_recipe parallel
        expect_refusal "parallel without an address" "ADDRESS: parameter "
    )

    enter parallel-again
    start_recipe parallel-again
    kill_part 3 --session "$session"
    expect_refusal "parallel-again without part 3" "1 of 8 parts are missing, first part 3"
    start_recipe parallel-again
    expect_answer parallel-again
    [ "$(grep -c -- '--shard' parts.log)" = 9 ] ||
        fail "more than part 3 ran again: $(cat parts.log)"
}

run_parallel_over_ssh() {
    enter ssh
    local ssh=$PWD port=$((20000 + RANDOM % 10000)) keys
    useradd --create-home --password '*' --shell /bin/sh "recipes-$$"
    account=recipes-$$
    for keys in host user; do ssh-keygen -q -t ed25519 -N '' -f "$keys"; done
    chmod 644 user.pub
    cat > sshd_config << END
ListenAddress 127.0.0.1:$port
HostKey $ssh/host
PidFile none
AuthorizedKeysFile $ssh/user.pub
StrictModes no
UsePAM no
SetEnv PATH=$folder/bin:/usr/bin:/bin
END
    echo "[127.0.0.1]:$port $(cat host.pub)" > known
    cat > config << END
Host server-1 server-2
HostName 127.0.0.1
Port $port
User $account
IdentityFile $ssh/user
IdentitiesOnly yes
UserKnownHostsFile $ssh/known
END
    mkdir -p /run/sshd
    daemon sshd "$(command -v sshd)" -D -e -f "$ssh/sshd_config"
    export PARALLEL_SSH="ssh -F $ssh/config"
    until_true $PARALLEL_SSH server-1 true || fail "no ssh: $(cat "$folder/sshd.log")"
    ADDRESS=$short start_recipe parallel-ssh
    expect_answer parallel-ssh
    start_recipe parallel-ssh
    kill_part 3 --euid "$account"
    expect_refusal "parallel-ssh without part 3" "1 of 8 parts are missing, first part 3"
    [ ! -e "$(getent passwd "$account" | cut -d : -f 6)/part-1.json" ] || fail "a part stayed there"
}

# stop_task: stops a task of the array job while it runs, and sets `part` to its number.
stop_task() {
    local job files
    until_true compgen -G 'part-*.resume' || fail "no task runs: $(cat slurm-*.out)"
    for _ in {1..100}; do
        files=(part-*.resume)
        part=${files[0]//[^0-9]/}
        job=$(squeue --noheader --array --states=RUNNING --format='%F %K' | grep " $part\$") ||
            continue
        scancel "${job/ /_}"
        until_true ended "$part" || fail "part $part does not end"
        if [ -e "part-$part.resume" ] && [ ! -s "part-$part.json" ]; then return; fi
    done
    fail "every task ended before it could be stopped"
}

ended() {
    ! squeue --noheader --array --format=%K | grep -qx "$1"
}

run_slurm() {
    enter slurm
    local host part port=$((20000 + RANDOM % 10000))
    host=$(hostname -s)
    mkdir -m 700 "$folder/munge"
    mkdir "$folder/controller" "$folder/node"
    head -c 1024 /dev/urandom > "$folder/munge/key"
    chmod 400 "$folder/munge/key"
    daemon munged munged --foreground --force --key-file="$folder/munge/key" \
        --socket="$folder/munge.socket" --pid-file="$folder/munge/pid" \
        --log-file="$folder/munge/log" --seed-file="$folder/munge/seed"
    cat > "$folder/slurm.conf" << END
ClusterName=recipes
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
StateSaveLocation=$folder/controller
SlurmdSpoolDir=$folder/node
SlurmctldPidFile=$folder/controller.pid
SlurmdPidFile=$folder/node.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=16
PartitionName=all Nodes=$host Default=YES
END
    export SLURM_CONF=$folder/slurm.conf
    until_true munge --socket="$folder/munge.socket" --no-input ||
        fail "no munge: $(cat "$folder/munged.log")"
    daemon controller slurmctld -D
    daemon node slurmd -D
    until_true is_idle || fail "no Slurm: $(cat "$folder/controller.log" "$folder/node.log")"

    block Slurm sh > part.sh
    shellcheck part.sh
    start_recipe slurm
    stop_task
    expect_refusal "slurm without part $part" "1 of 64 parts are missing, first part $part"
    # A task that had started over would have left this file, and another beside it.
    start "sbatch --wait --array=$part part.sh \"\$ADDRESS\" >&2; addr-recover merge part-*.json"
    expect_answer "slurm, part $part continued"
    ! compgen -G 'part-*.resume' || fail "part $part was not continued"
    enter slurm-whole
    block Slurm sh > part.sh
    ADDRESS=$short start_recipe slurm
    expect_answer slurm
}

is_idle() {
    sinfo --noheader --format=%t | grep -qx idle
}

# The script of the pod with this index.
pod() {
    JOB_COMPLETION_INDEX=$1 "${@:2}" sh -c "$(cat "$folder/pod.sh")"
}

run_kubernetes() {
    enter kubernetes
    local index read=$folder/venv/bin/python3 stopped=
    block Kubernetes yaml > "$folder/job.yaml"
    "$folder/venv/bin/pip" install --quiet kubernetes-validate==1.37.0
    "$folder/venv/bin/kubernetes-validate" --strict "$folder/job.yaml"
    "$read" - "$folder/job.yaml" > "$folder/pod.sh" << 'END'
import sys, yaml
job = yaml.safe_load(open(sys.argv[1]))["spec"]
(container,) = job["template"]["spec"]["containers"]
shell, option, script = container["command"]
assert (shell, option, job["completions"]) == ("sh", "-c", 64)
assert container["env"][0]["name"] == "ADDRESS"
assert container["workingDir"] == container["volumeMounts"][0]["mountPath"]
print(script, end="")
END
    for index in {0..63}; do
        if [ -z "$stopped" ] && ! pod "$index" timeout 0.1 2> /dev/null; then
            [ -e "part-$((index + 1)).resume" ] || fail "nothing was saved"
            stopped=$index
        else
            pod "$index" env 2> /dev/null || fail "pod $index: exit status $?"
        fi
    done
    [ -n "$stopped" ] || fail "every pod ended before it could be stopped"
    start_recipe kubernetes
    expect_refusal "kubernetes without a part" \
        "1 of 64 parts are missing, first part $((stopped + 1))"
    pod "$stopped" env 2> /dev/null
    ! compgen -G 'part-*.resume' || fail "part $((stopped + 1)) was not continued"
    start_recipe kubernetes
    expect_answer kubernetes
}

# wanted NAME: whether to run the recipe.
wanted() {
    [ -z "$names" ] || [[ " $names " = *" $1 "* ]]
}

names=$*
is_root=$([ "$(id -u)" = 0 ] && echo yes || true)
if wanted parallel; then
    if installed parallel parallel; then
        run_parallel
    else
        skip "GNU parallel: it is not installed"
    fi
fi
if wanted ssh; then
    if [ "$is_root" ] && installed parallel parallel && installed sshd openssh-server &&
        installed ssh openssh-client; then
        run_parallel_over_ssh
    else
        skip "GNU parallel over ssh: it needs root, parallel and openssh-server"
    fi
fi
if wanted slurm; then
    if [ "$is_root" ] && installed munge munge && installed slurmctld slurmctld &&
        installed slurmd slurmd && installed srun slurm-client; then
        run_slurm
    else
        skip "Slurm: it needs root, slurmd, slurmctld and munge"
    fi
fi
if wanted kubernetes; then
    if python3 -m venv "$folder/venv" > /dev/null; then
        run_kubernetes
    else
        skip "Kubernetes: Python has no venv"
    fi
fi
exit "$unchecked"
