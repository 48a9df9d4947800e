import type { CommandSpec, FlagSpec } from '../base/commandSpec.ts'
import { outputFlag } from '../base/globalFlags.ts'

const file: FlagSpec = {
  flags: '-f, --filename <file>',
  description: 'YAML file; - for standard input',
  isFile: true,
}
const auditFlags: readonly FlagSpec[] = [
  { flags: '--user <name>', description: 'requests of this user', live: 'users' },
  { flags: '--verb <verb>', description: 'get, create, delete and others' },
  {
    flags: '--resource <plural>',
    description: 'requests for these objects, such as sharedsecrets',
  },
  { flags: '-n, --namespace <name>', description: 'requests in this namespace' },
  { flags: '--name <name>', description: 'requests for objects of this name' },
  { flags: '--code <code>', description: 'status code such as 403, or a class such as 4xx' },
  { flags: '--since <duration>', description: 'maximum age of events, such as 24h' },
  outputFlag,
]

/** The configuration, the audit log, and the program itself. */
export const platformCommands: readonly CommandSpec[] = [
  {
    words: 'config get',
    summary: 'show the configuration of the platform',
    args: [
      {
        name: 'FIELD',
        description: 'field of the effective configuration, such as auth.password',
        isOptional: true,
      },
    ],
    flags: [
      { flags: '--effective', description: 'effective configuration, including defaults' },
      outputFlag,
    ],
    run: async (call) => (await import('../commands/platform/config.ts')).getConfig(call),
  },
  {
    words: 'config edit',
    summary: 'change the configuration in an editor',
    run: async (call) => (await import('../commands/platform/config.ts')).editConfig(call),
  },
  {
    words: 'config diff',
    summary: 'show the changes that a file would make; exit code 1 if there are any',
    flags: [file],
    run: async (call) => (await import('../commands/platform/config.ts')).diffConfig(call),
  },
  {
    words: 'config apply',
    summary: 'replace the configuration by a file',
    flags: [
      file,
      {
        flags: '--dry-run',
        description: 'validate the file on the server without changing anything',
      },
    ],
    run: async (call) => (await import('../commands/platform/config.ts')).applyConfig(call),
  },
  {
    words: 'config schema',
    summary: 'print the JSON Schema of the configuration, for editors',
    run: async (call) => (await import('../commands/platform/config.ts')).configSchema(call),
  },
  {
    words: 'sync explain',
    summary: 'explain the sync of objects of a virtual cluster to its host, patch by patch',
    details: 'A document without a kind is the configuration; the others are objects.',
    flags: [
      { ...file, isRepeated: true },
      { flags: '--offline', description: 'without a server' },
      { flags: '--name <name>', description: 'name of the virtual cluster; default: vcluster' },
      {
        flags: '--host-namespace <name>',
        description: 'namespace of the virtual cluster; default: vcluster-ns',
      },
      { flags: '--names-domain <domain>', description: 'domain of labels, with --offline' },
    ],
    run: async (call) => (await import('../commands/platform/explainSync.ts')).explainSync(call),
  },
  {
    words: 'audit tail',
    summary: 'show the newest events of the audit log on this machine',
    flags: [
      {
        flags: '--file <file>',
        description: 'log file; default: the configured one',
        isFile: true,
      },
      { flags: '-f, --follow', description: 'follow the log until interrupted' },
      { flags: '--lines <count>', description: 'number of events; default 20' },
      ...auditFlags,
    ],
    run: async (call) => (await import('../commands/platform/audit.ts')).tailAudit(call),
  },
  {
    words: 'audit query',
    summary: 'show events from the audit database',
    flags: [
      { flags: '--limit <count>', description: 'number of events; default 100' },
      ...auditFlags,
    ],
    run: async (call) => (await import('../commands/platform/audit.ts')).queryAudit(call),
  },
  {
    words: 'completion',
    summary: 'print the completion script of a shell',
    isRemote: false,
    args: [{ name: 'SHELL', description: 'shell', choices: ['bash', 'zsh', 'fish', 'powershell'] }],
    examples: [
      [
        'completion bash > /etc/bash_completion.d/platform',
        'Complete for every user of this machine',
      ],
    ],
    run: async (call) => (await import('../commands/platform/completion.ts')).completion(call),
  },
  {
    words: 'man',
    summary: 'print a manual page',
    isRemote: false,
    args: [
      { name: 'COMMAND', description: 'words of the command', isOptional: true, isVariadic: true },
    ],
    flags: [
      { flags: '--out <folder>', description: 'write every page to this folder', isFile: true },
    ],
    run: async (call) => (await import('../commands/platform/manual.ts')).manual(call),
  },
  {
    words: '__complete',
    summary: 'print candidates for the last word',
    isHidden: true,
    isRemote: false,
    args: [
      {
        name: 'WORD',
        description: 'words of the command line',
        isOptional: true,
        isVariadic: true,
      },
    ],
    run: async (call) => (await import('../commands/platform/completion.ts')).complete(call),
  },
]
