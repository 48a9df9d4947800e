import type { CommandShape, FlagSpec } from '../../commandTree/commandShape.ts'
import { shells } from '../../commandTree/scripts.ts'
import { backupSettingsOf } from './backupSettings.ts'
import { doctorOutput } from './doctorSettings.ts'
import { moveSettings } from './moveSettings.ts'
import { kubeconfigSettings } from './kubeconfigSettings.ts'
import type { Setting } from './setting.ts'
import { configFileSetting, settings } from './settings.ts'
import { syncSettings } from './syncSettings.ts'

type Shown = Pick<Setting, 'flag' | 'placeholder' | 'description' | 'defaultText' | 'isSwitch'>

/** Flag as data for completion and manual pages. */
function flagOf({ flag, placeholder, description, defaultText, isSwitch }: Shown): FlagSpec {
  const words = placeholder.split('|')
  return {
    // A value for a switch is only recognized after an equals sign.
    flags: isSwitch ? `--${flag}` : `--${flag} <${placeholder}>`,
    description,
    ...(words.length > 1 ? { choices: words } : {}),
    ...(defaultText === '' ? {} : { default: defaultText }),
    ...(['FILE', 'DIR'].includes(placeholder) ? { isFile: true } : {}),
  }
}

const serveFlags = [configFileSetting, ...settings].map(flagOf)

/** Commands of the server program, for completion and manual pages. */
export const commandShapes: readonly CommandShape[] = [
  {
    words: 'serve',
    summary: 'serve the API until SIGTERM or SIGINT',
    details:
      'Once it serves, it prints one line to standard output: "serving" and the base URL. Each flag can also be given as ' +
      'an environment variable, --data-dir as PLATFORM_DATA_DIR, or as a key of the file of --config, dataDir.',
    flags: serveFlags,
    examples: [
      ['serve --data-dir /var/lib/platform --kubeconfig-out admin.kubeconfig', 'Serve a folder'],
      ['serve --storage memory --secure-port 0', 'Serve for a test, on any free port'],
    ],
  },
  {
    words: 'sync',
    summary: 'sync a virtual cluster to its host until SIGTERM or SIGINT',
    flags: syncSettings.map(flagOf),
  },
  {
    words: 'sync explain',
    summary: 'show what syncing an object would do, without a server',
    flags: [
      { flags: '-f, --filename <FILE>', description: 'file with objects', isFile: true },
      ...syncSettings
        .filter(({ flag }) => ['name', 'host-namespace', 'names-domain'].includes(flag))
        .map(flagOf),
    ],
  },
  {
    words: 'backup',
    summary: 'back up a data folder, or a running server',
    flags: backupSettingsOf('backup').map(flagOf),
    examples: [['backup --out backup --data-dir /var/lib/platform', 'Back up a stopped server']],
  },
  {
    words: 'restore',
    summary: 'create a data folder from a backup, or restore objects into a running server',
    flags: backupSettingsOf('restore').map(flagOf),
    examples: [
      ['restore --from backup --data-dir /var/lib/platform', 'Create a data folder'],
      [
        'restore --from backup --kubeconfig admin.kubeconfig --namespace shop --dry-run',
        'Show what a restore of one namespace would do',
      ],
    ],
  },
  {
    words: 'verify',
    summary: 'verify a data folder, or a backup',
    flags: backupSettingsOf('verify').map(flagOf),
  },
  {
    words: 'kubeconfig',
    summary: 'create an access key of a user, and a kubeconfig with it',
    flags: [...kubeconfigSettings.map(flagOf), ...serveFlags],
    examples: [
      [
        'kubeconfig --user jane --scope project=shop --ttl 30d --out jane.kubeconfig',
        'Give jane a kubeconfig for one project',
      ],
    ],
  },
  {
    words: 'doctor',
    summary: 'check ports, folder, certificates, clock, versions and disk',
    flags: [flagOf(doctorOutput), ...serveFlags],
  },
  {
    words: 'storage migrate',
    summary:
      'rewrite stored objects with the newest encryption key, or copy them to another storage',
    flags: [...moveSettings.map(flagOf), ...serveFlags],
  },
  {
    words: 'envtest',
    summary: 'write kube-apiserver, etcd and kubectl for envtest into a folder',
    args: [{ name: 'DIR', description: 'folder' }],
  },
  {
    words: 'completion',
    summary: 'print the completion script of a shell',
    args: [{ name: 'SHELL', description: 'shell', choices: shells }],
    examples: [
      ['completion bash > /etc/bash_completion.d/platform-apiserver', 'Install it for bash'],
      ['completion fish | source', 'Use it in the current fish shell'],
    ],
  },
  {
    words: 'man',
    summary: 'print a manual page',
    args: [
      { name: 'COMMAND', description: 'words of the command', isOptional: true, isVariadic: true },
    ],
    examples: [['man serve | man -l -', 'Read the page of serve']],
  },
]

/** Environment variables of all flags, for the manual page. */
export const environmentVariables: readonly (readonly [name: string, meaning: string])[] = [
  configFileSetting,
  ...settings,
].map(({ env, flag }) => [env, `--${flag}`] as const)
