import { backupSettings } from './backupSettings.ts'
import type { Setting } from './setting.ts'
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
  platform-apiserver verify [--from FILE]
                                     verify a data folder, or a backup
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

/** Output of `--help` of `backup`, `restore` and `verify`. */
export function backupHelpText(): string {
  return `platform-apiserver backup, restore, verify: one file with all objects at one revision.

Usage:
  platform-apiserver backup --out FILE [--data-dir DIR]     of a stopped server
  platform-apiserver backup --out FILE --kubeconfig FILE    of a running server
  platform-apiserver restore --from FILE [--data-dir DIR]
  platform-apiserver verify [--data-dir DIR]                of a stopped server
  platform-apiserver verify --from FILE

A backup holds every object, secrets included, and can be read by its owner only (mode 0600): keep it safe. A backup of a
data folder also holds its keys and certificates (pki/, admin-access-key, agent-key-secret); a backup of a running server
does not, and a server restored from it generates new ones.

Restored objects keep their resourceVersions. Revisions continue at least a billion above the backup's, so that watches
from before the restore get 410 and start again.

Progress is written to standard error, the result to standard output.
Exit codes: 0 done, 1 failed, with the first fault on standard error, 2 wrong usage.

Flags:
${backupSettings.map(flagHelp).join('\n')}
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
