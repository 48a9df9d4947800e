import type { ArgumentSpec, CommandSpec, FlagSpec, LiveNames } from '../base/commandSpec.ts'
import { outputFlag, projectFlag } from '../base/globalFlags.ts'
import { kinds, type KindName, type KindWords } from '../client/kinds.ts'

const dryRun: FlagSpec = {
  flags: '--dry-run',
  description: 'validate the request on the server without carrying it out',
}
const timeout: FlagSpec = {
  flags: '--timeout <duration>',
  description: 'how long to wait, such as 5m',
}
const noWait: FlagSpec = { flags: '--no-wait', description: 'do not wait for completion' }
const listFlags: readonly FlagSpec[] = [
  outputFlag,
  { flags: '-w, --watch', description: 'follow changes until interrupted' },
  { flags: '-l, --selector <labels>', description: 'label selector, such as team=a,env!=test' },
  { flags: '--field-selector <fields>', description: 'field selector, such as metadata.name=web' },
]
const commonCreateFlags: readonly FlagSpec[] = [
  { flags: '--display-name <text>', description: 'name shown in the UI' },
  { flags: '--description <text>', description: 'description' },
  { flags: '--owner <owner>', description: 'user/NAME or team/NAME' },
  dryRun,
  outputFlag,
]
const instanceFlags: readonly FlagSpec[] = [
  projectFlag,
  {
    flags: '--template <name>',
    description: "template; default: the project's",
    live: 'templates',
  },
  {
    flags: '--template-version <version>',
    description: 'version of the template; default: the newest',
  },
  {
    flags: '--values <file>',
    description: 'YAML file of parameters of the template, or of values without one',
    isFile: true,
  },
  { flags: '--cluster <name>', description: 'connected cluster to run in', live: 'clusters' },
  { flags: '--host-namespace <name>', description: 'namespace in that cluster' },
  { flags: '--use', description: 'write a kubeconfig context for it, as "use" does' },
  { flags: '--kubeconfig <file>', description: 'kubeconfig for --use', isFile: true },
  noWait,
  timeout,
]
const rolesFlag: FlagSpec = {
  flags: '--cluster-role <name>',
  description: 'cluster role in the management API',
  isRepeated: true,
}

const createFlags: Readonly<Record<KindName, readonly FlagSpec[]>> = {
  project: [
    {
      flags: '--user <name>',
      description: 'member, as NAME or NAME=CLUSTERROLE',
      isRepeated: true,
      live: 'users',
    },
    {
      flags: '--team <name>',
      description: 'team of members, as NAME or NAME=CLUSTERROLE',
      isRepeated: true,
      live: 'teams',
    },
    {
      flags: '--cluster <name>',
      description: 'cluster that its instances may run in; * for all',
      isRepeated: true,
      live: 'clusters',
    },
    {
      flags: '--template <name>',
      description: 'allowed template of virtual clusters; * for all',
      isRepeated: true,
      live: 'templates',
    },
  ],
  virtualcluster: instanceFlags,
  space: instanceFlags,
  cluster: [],
  user: [
    { flags: '--username <name>', description: 'name used to log in; default: NAME' },
    { flags: '--email <address>', description: 'email address' },
    { flags: '--subject <text>', description: 'subject for authorization; default: NAME' },
    { flags: '--group <name>', description: 'group', isRepeated: true },
    rolesFlag,
    { flags: '--password-stdin', description: 'set the password from standard input' },
  ],
  team: [
    { flags: '--username <name>', description: 'short name' },
    { flags: '--user <name>', description: 'member', isRepeated: true, live: 'users' },
    { flags: '--group <name>', description: 'group whose users are members', isRepeated: true },
    rolesFlag,
  ],
}

const article = (called: string) => (/^[aeio]/.test(called) ? 'an' : 'a')

interface Words {
  kind: KindWords
  one: string
  called: string
  project: readonly FlagSpec[]
  own: ArgumentSpec
  oneAlias: readonly string[]
}

function commandsOf(name: KindName): CommandSpec[] {
  const kind: KindWords = kinds[name]
  const { one, called, isOfProject, aliases } = kind
  const live: LiveNames = `${name}s`
  const own: ArgumentSpec = { name: 'NAME', description: called, live }
  const project = isOfProject ? [projectFlag] : []
  const words = { kind, one, called, project, own, oneAlias: aliases.slice(1, 2) }
  return [
    listCommand(words),
    getCommand(words),
    createCommand(words, createFlags[name]),
    deleteCommand(words),
    waitCommand(words),
  ]
}

function listCommand({ kind, one, called, project }: Words): CommandSpec {
  const { many, aliases, isOfProject } = kind
  return {
    words: `list ${many}`,
    aliases: [...aliases.slice(0, 1), one],
    summary: `list ${called}s`,
    flags: [
      ...project,
      ...(isOfProject ? [{ flags: '-A, --all-projects', description: 'of every project' }] : []),
      ...listFlags,
    ],
    run: async (call) =>
      (await import('../commands/objects/listObjects.ts')).listObjects(call, kind),
  }
}

function getCommand({ kind, one, called, project, own, oneAlias }: Words): CommandSpec {
  return {
    words: `get ${one}`,
    aliases: oneAlias,
    summary: `show ${article(called)} ${called}`,
    args: [own],
    flags: [...project, outputFlag],
    run: async (call) => (await import('../commands/objects/getObject.ts')).getObject(call, kind),
  }
}

function createCommand(
  { kind, one, called, oneAlias }: Words,
  flags: readonly FlagSpec[],
): CommandSpec {
  return {
    words: `create ${one}`,
    aliases: oneAlias,
    summary: `create ${article(called)} ${called}`,
    args: [{ name: 'NAME', description: `name of the new ${called}` }],
    flags: [...flags, ...commonCreateFlags],
    run: async (call) =>
      (await import('../commands/objects/createObject.ts')).createObject(call, kind),
  }
}

function deleteCommand({ kind, one, called, project, own, oneAlias }: Words): CommandSpec {
  return {
    words: `delete ${one}`,
    aliases: [...oneAlias, kind.many],
    summary: `delete ${called}s`,
    args: [{ ...own, isVariadic: true }],
    flags: [
      ...project,
      { flags: '--ignore-not-found', description: 'do nothing if it does not exist' },
      dryRun,
      noWait,
      timeout,
    ],
    run: async (call) =>
      (await import('../commands/objects/deleteObjects.ts')).deleteObjects(call, kind),
  }
}

function waitCommand({ kind, one, called, project, own, oneAlias }: Words): CommandSpec {
  const state = kind.isOfProject ? 'phase=Ready' : 'create'
  return {
    words: `wait ${one}`,
    aliases: [...oneAlias, kind.many],
    summary: `wait for ${called}s`,
    args: [{ ...own, isVariadic: true }],
    flags: [
      ...project,
      {
        flags: '--for <state>',
        description: `delete, create, phase=PHASE, condition=TYPE[=STATUS] or FIELD=VALUE; default: ${state}`,
      },
      timeout,
    ],
    run: async (call) => (await import('../commands/objects/waitFor.ts')).wait(call, kind),
  }
}

/** Commands of the kinds that have all verbs. */
export const objectCommands: readonly CommandSpec[] = (Object.keys(kinds) as KindName[]).flatMap(
  commandsOf,
)
