import type { CommandShape, FlagSpec } from '../../apiserver/commandTree/commandShape.ts'

/** Flags of every command. */
const everyFlag: readonly FlagSpec[] = [
  { flags: '--quiet', description: 'suppress messages that are not errors' },
]

export const outputFlag: FlagSpec = {
  flags: '-o, --output <format>',
  description:
    'table, wide, json, yaml, name, jsonpath=TEMPLATE, jsonpath-file=FILE, go-template=TEMPLATE or go-template-file=FILE',
}

/** Flags of commands that send requests. */
const remoteFlags: readonly FlagSpec[] = [
  {
    flags: '--context <name>',
    description: 'server to use, by the name given at login',
    live: 'contexts',
  },
  { flags: '--as <user>', description: 'act as another user; requires the right to impersonate' },
  {
    flags: '--as-group <group>',
    description: 'act as a member of this group, with --as',
    isRepeated: true,
  },
  {
    flags: '-v, --verbosity <level>',
    description: '6: requests, 7: headers, 8: bodies, 9: whole bodies; secrets are masked',
  },
  {
    flags: '--request-timeout <duration>',
    description: 'how long to wait for a response, such as 10s',
  },
]

export const projectFlag: FlagSpec = {
  flags: '-p, --project <name>',
  description: 'project',
  live: 'projects',
}

/** Summaries of command groups, by group name. */
export const groupSummaries: Readonly<Record<string, string>> = {
  audit: 'read the audit log',
  config: 'read and change the configuration of the platform',
  contexts: 'servers that you are logged in to',
  create:
    'create projects, virtual clusters, spaces, clusters, users, teams, access keys and tokens',
  delete: 'delete objects',
  get: 'show one object, or the value of a secret',
  list: 'list objects',
  rotate: 'replace a credential',
  set: 'set a value of a secret',
  share: 'give users and teams access',
  sync: 'copy secrets into projects; explain the sync of virtual clusters',
  use: 'write a kubeconfig context that logs in by itself',
  wait: 'wait until objects are ready or gone',
}

/** Flags of every command, and of every command that sends requests. */
export function globalFlagsOf({ isRemote, flags = [] }: CommandShape): readonly FlagSpec[] {
  const own = new Set(flags.map((flag) => longName(flag)))
  const all = isRemote === false ? everyFlag : [...remoteFlags, ...everyFlag]
  return all.filter((flag) => !own.has(longName(flag)))
}

/** Long form of a flag, with its dashes. */
function longName({ flags }: FlagSpec): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags
}
