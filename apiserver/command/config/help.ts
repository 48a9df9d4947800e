import { backupSettings } from './backupSettings.ts'
import type { Setting } from './setting.ts'
import { doctorOutput } from './doctorSettings.ts'
import { moveSettings } from './moveSettings.ts'
import { kubeconfigSettings } from './kubeconfigSettings.ts'
import { configFileSetting, settings } from './settings.ts'
import { syncSettings } from './syncSettings.ts'

const lineWidth = 100
const indent = ' '.repeat(8)

/** Output of `platform-apiserver --help`. */
export function helpText(): string {
  return `platform-apiserver: a management API server that speaks the Kubernetes API conventions.

Usage:
  platform-apiserver serve [flags]   serve the API until SIGTERM or SIGINT
  platform-apiserver sync [flags]    sync a virtual cluster to its host until SIGTERM or SIGINT
  platform-apiserver sync explain -f config.yaml -f object.yaml
                                     show what syncing an object would do, without a server
  platform-apiserver backup --out FILE [--kubeconfig FILE]
                                     back up a data folder, or a running server
  platform-apiserver restore --from FILE
                                     create a data folder from a backup
  platform-apiserver restore --from FILE --kubeconfig FILE --namespace NAME
                                     restore objects of a backup into a running server
  platform-apiserver verify [--from FILE]
                                     verify a data folder, or a backup
  platform-apiserver kubeconfig --user NAME [--scope WORD,…] [--ttl 30d] [--out FILE]
                                     create an access key of a user, and a kubeconfig with it
  platform-apiserver doctor [flags of serve] [--output json]
                                     check ports, folder, certificates, clock, versions and disk
  platform-apiserver envtest DIR     write kube-apiserver, etcd and kubectl for envtest into DIR
  platform-apiserver storage migrate [flags of serve]
                                     rewrite stored objects with the newest encryption key
  platform-apiserver completion bash|zsh|fish|powershell
                                     print the completion script of a shell
  platform-apiserver man [COMMAND]   print a manual page: platform-apiserver man serve | man -l -
  platform-apiserver sync --help
  platform-apiserver backup --help
  platform-apiserver --help
  platform-apiserver --version

Each flag can also be given as an environment variable, --data-dir as PLATFORM_DATA_DIR, or as a
key of the YAML file that --config names, --data-dir as dataDir and --names-domain as domain below
names. Flags win over the environment, the environment over the file.

Once it serves, it prints one line to standard output: "serving" and the base URL.
Exit codes: 0 stopped by a signal, 1 could not start or was forced to end, 2 wrong usage.

Flags of serve:
${[configFileSetting, ...settings].map(flagHelp).join('\n')}
`
}

/** Output of `platform-apiserver sync --help`. */
export function syncHelpText(): string {
  return `platform-apiserver sync: syncs Services and Endpoints of a virtual cluster to its host.

Usage:
  platform-apiserver sync [flags]
  platform-apiserver sync explain -f config.yaml -f object.yaml

sync explain takes --name, --host-namespace and --names-domain. Files can hold several objects; -f - reads standard input.

Flags of sync, also as environment variables, --name as PLATFORM_SYNC_NAME:
${syncSettings.map(flagHelp).join('\n')}
`
}

/** Output of `platform-apiserver envtest --help`. */
export function envtestHelpText(): string {
  return `platform-apiserver envtest: this server in the place of the programs that envtest starts.

Usage:
  platform-apiserver envtest DIR
  KUBEBUILDER_ASSETS=DIR go test ./...

Writes kube-apiserver, etcd and kubectl into the folder. kube-apiserver takes the flags of the real program:
DIR/kube-apiserver --help. The data is kept in the data folder of etcd. kubectl is a link to the one on PATH.

Controllers are off, as with the real programs; PLATFORM_ENVTEST_CONTROLLERS=* turns them on.
`
}

/** Output of `--help` of `backup`, `restore` and `verify`. */
export function backupHelpText(): string {
  return `platform-apiserver backup, restore, verify: one file with all objects at one revision.

Usage:
  platform-apiserver backup --out FILE [--data-dir DIR]     of a stopped server
  platform-apiserver backup --out FILE --kubeconfig FILE    of a running server
  platform-apiserver restore --from FILE [--data-dir DIR]
  platform-apiserver restore --from FILE --kubeconfig FILE --namespace NAME [--dry-run] [--replace]
  platform-apiserver restore --from FILE --kubeconfig FILE --resource PLURAL[.GROUP] [--namespace NAME] [--name NAME]
  platform-apiserver verify [--data-dir DIR]                of a stopped server
  platform-apiserver verify --from FILE

A backup holds every object, secrets included, and can be read by its owner only (mode 0600): keep it safe. A backup of a
data folder also holds its keys and certificates (pki/, admin-access-key, agent-key-secret); a backup of a running server
does not, and a server restored from it generates new ones.

Restored objects keep their resourceVersions. Revisions continue at least a billion above the backup's, so that watches
from before the restore get 410 and start again.

With --kubeconfig, restore creates single objects, or those of one namespace, in the API that the kubeconfig names: the
management API, a cluster or a virtual cluster. Objects that exist are left as they are, unless --replace is given. Objects
get new uids and resourceVersions, owner references follow their owners, and controllers set the status.

Progress is written to standard error, the result to standard output.
Exit codes: 0 done, 1 failed, with the first fault on standard error, 2 wrong usage.

Flags:
${backupSettings.map(flagHelp).join('\n')}
`
}

/** Output of `platform-apiserver doctor --help`. */
export function doctorHelpText(): string {
  return `platform-apiserver doctor: checks whether a server can start here, and says what to do if not.

Usage:
  platform-apiserver doctor [flags of serve] [--output text|json]

It reads the same flags, environment variables and settings file as serve, and checks them, the versions of Node and of
the database's library, the data folder and the permissions of its keys, every checksum of the objects in it, the
certificates, the clock, the disk, the files that settings name, the ports, and the members of etcd. Nothing is created
or changed. The objects of a running server are not read: it verified them at its start.

Exit codes: 0 no errors, perhaps warnings, 1 errors, 2 wrong usage.

Flags besides those of serve:
${flagHelp(doctorOutput)}
`
}

/** Output of `platform-apiserver kubeconfig --help`. */
export function kubeconfigHelpText(): string {
  return `platform-apiserver kubeconfig: creates an access key of a user, and writes a kubeconfig with it.

Usage:
  platform-apiserver kubeconfig --user NAME [--scope WORD,…] [--ttl DURATION] [--out FILE] [--kubeconfig FILE]
  platform-apiserver kubeconfig --user NAME … [flags of serve]

With --kubeconfig, the key is created on that running server. Without it, on the server of the data folder, which it
finds by the same flags, environment variables and settings file as serve; if that server is stopped, the key is stored in
the folder. The key can be read from the kubeconfig only; keep it secret. "platform delete accesskey" or
"kubectl delete ownedaccesskey" ends it.

The kubeconfig is written to standard output or to --out, a sentence with the name of the key to standard error.
Exit codes: 0 done, 1 failed, 2 wrong usage.

Flags besides those of serve:
${kubeconfigSettings.map(flagHelp).join('\n')}
`
}

/** Output of `platform-apiserver storage --help`. */
export function storageHelpText(): string {
  return `platform-apiserver storage migrate: rewrites every stored object with the newest encryption key, or copies
all objects to another storage.

Usage:
  platform-apiserver storage migrate [flags of serve]
  platform-apiserver storage migrate --from level --to etcd [flags of serve]
  platform-apiserver storage migrate --from etcd --to level --data-dir NEW [flags of serve]
  platform-apiserver storage migrate --from FILE --to etcd [flags of serve]      a backup into etcd

Run it after a change of --encryption-provider-config: to encrypt what was stored before, to replace a key before it is
removed from the file, or to decrypt. It reads the same flags, environment variables and settings file as serve;
--data-dir, --storage, --etcd-* and --encryption-provider-config matter.

LevelDB: the server has to be stopped. Revisions stay and history is dropped, so watches start again. Afterwards no file of
the folder contains replaced bytes. etcd: servers may run; compact and defragment etcd afterwards to remove old bytes.

Copies need stopped servers and an empty target, and are compared with their source. Objects keep their uids. In LevelDB they
keep their revisions, too, and keys of the servers become files of the data folder. In etcd they get revisions beyond those
of the source; servers take keys from the data folder. History stays behind, so watches start again.

Flags:
${moveSettings.map(flagHelp).join('\n')}

Exit codes: 0 done, 1 failed, 2 wrong usage.
`
}

type Shown = Pick<Setting, 'flag' | 'placeholder' | 'defaultText' | 'description'>

function flagHelp({ flag, placeholder, defaultText, description }: Shown): string {
  const shownDefault = defaultText === '' ? '' : ` (default ${defaultText})`
  return `  --${flag} ${placeholder}${shownDefault}\n${wrap(description)}`
}

function wrap(text: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > lineWidth) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line].map((part) => indent + part).join('\n')
}
