import type { ArgumentSpec, CommandSpec, FlagSpec } from '../base/commandSpec.ts'
import { outputFlag } from '../base/globalFlags.ts'

const key: ArgumentSpec = { name: 'NAME', description: 'access key', live: 'accesskeys' }
const scope: FlagSpec = {
  flags: '--scope <scope>',
  description:
    'restrict it to cli (the read-only commands of this program), role=NAME, project=P, space=P/S, virtualcluster=P/V or cluster=C; * stands for all',
  isRepeated: true,
}

/** Access keys and tokens. */
export const keyCommands: readonly CommandSpec[] = [
  {
    words: 'create accesskey',
    summary: 'create an access key, and print it once',
    args: [{ name: 'NAME', description: 'name of the key; default: generated', isOptional: true }],
    flags: [
      {
        flags: '--ttl <duration>',
        description: 'lifetime, such as 30d; default: the key does not expire',
      },
      { flags: '--ttl-after-last-activity', description: 'count the lifetime from its last use' },
      scope,
      {
        flags: '--for <owner>',
        description: 'user/NAME, team/NAME or serviceaccount/NAMESPACE/NAME; default: you',
      },
      { flags: '--display-name <text>', description: 'name shown in the UI' },
      { flags: '--description <text>', description: 'description' },
      { flags: '--explain', description: 'describe the rights of the key without creating it' },
      { flags: '--dry-run', description: 'the same as --explain' },
      outputFlag,
    ],
    examples: [
      ['create accesskey ci --ttl 90d --scope project=shop', 'Create a key for a pipeline'],
      ['create accesskey reader --scope cli --explain', 'Show what a key for reading would allow'],
    ],
    run: async (call) =>
      (await import('../commands/keys/createAccessKey.ts')).createAccessKey(call),
  },
  {
    words: 'list accesskeys',
    aliases: ['accesskey'],
    summary: 'list your access keys',
    flags: [
      { flags: '--user <name>', description: 'keys of this user', live: 'users' },
      { flags: '--team <name>', description: 'keys of this team', live: 'teams' },
      outputFlag,
    ],
    run: async (call) => (await import('../commands/keys/listAccessKeys.ts')).listAccessKeys(call),
  },
  {
    words: 'delete accesskey',
    aliases: ['accesskeys'],
    summary: 'delete access keys, which are revoked immediately',
    args: [{ ...key, isVariadic: true }],
    flags: [
      { flags: '--ignore-not-found', description: 'do nothing if it does not exist' },
      { flags: '--force', description: 'also delete the key in use' },
    ],
    run: async (call) =>
      (await import('../commands/keys/deleteAccessKeys.ts')).deleteAccessKeys(call),
  },
  {
    words: 'rotate accesskey',
    aliases: ['accesskeys'],
    summary: 'replace the value of an access key, and revoke the old value',
    details:
      'Without a name, the key in use is rotated and stored again. Kubeconfig contexts written by "use" keep working.',
    args: [{ ...key, isOptional: true }],
    flags: [{ flags: '--print', description: 'also print the new value of the key in use' }],
    run: async (call) =>
      (await import('../commands/keys/rotateAccessKey.ts')).rotateAccessKey(call),
  },
  {
    words: 'create token',
    summary: 'create a token for direct endpoints of clusters, and print it',
    flags: [{ flags: '--ttl <duration>', description: 'lifetime; default 24h' }, scope, outputFlag],
    run: async (call) => (await import('../commands/keys/createToken.ts')).createToken(call),
  },
]
