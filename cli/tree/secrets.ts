import type { ArgumentSpec, CommandSpec, FlagSpec } from '../base/commandSpec.ts'
import { outputFlag, projectFlag } from '../base/globalFlags.ts'

const namespace: FlagSpec = {
  flags: '-n, --namespace <name>',
  description: "namespace of shared secrets; default: the platform's own, then default",
}
const project: FlagSpec = {
  ...projectFlag,
  description: 'secrets of this project instead of shared ones',
}
const key: FlagSpec = { flags: '--key <key>', description: 'key, when NAME contains dots' }
const secret: ArgumentSpec = { name: 'NAME', description: 'secret, or NAME.KEY', live: 'secrets' }

/** Shared secrets, and secrets of projects. */
export const secretCommands: readonly CommandSpec[] = [
  {
    words: 'get secret',
    summary: 'print a value of a secret',
    details:
      'Prints the value of NAME.KEY unchanged. Without a key, prints the only value, or prompts for the key. With -o, prints all values, or the value of the key.',
    args: [secret],
    flags: [
      namespace,
      project,
      key,
      {
        flags: '-o, --output <format>',
        description: 'plain, json, yaml, env (for eval) or dotenv',
        default: 'plain',
      },
    ],
    examples: [
      ['get secret database.password', 'Print one value'],
      ['get secret database -o dotenv > .env', 'Write every value to a file for other programs'],
      ['get secret token.value --project shop', 'Print a value of a project secret'],
    ],
    run: async (call) => (await import('../commands/secrets/getSecret.ts')).getSecret(call),
  },
  {
    words: 'set secret',
    summary: 'set a value of a secret',
    details: 'Creates the secret if it does not exist. The value is never shown.',
    args: [
      { ...secret, description: 'NAME.KEY' },
      { name: 'VALUE', description: '- to read the value from standard input', isOptional: true },
    ],
    flags: [
      namespace,
      project,
      key,
      { flags: '--from-file <file>', description: 'file with the value', isFile: true },
      {
        flags: '--from-literal <value>',
        description: 'the value; other users of the machine can see it',
      },
      { flags: '--display-name <text>', description: 'name shown in the UI' },
      {
        flags: '--dry-run',
        description: 'validate the request on the server without carrying it out',
      },
    ],
    examples: [
      ['set secret database.password -', 'Set a value from standard input'],
      ['set secret tls.key --from-file key.pem', 'Set a value from a file'],
    ],
    run: async (call) => (await import('../commands/secrets/setSecret.ts')).setSecret(call),
  },
  {
    words: 'list secrets',
    aliases: ['secret'],
    summary: 'list shared secrets, or secrets of projects, without their values',
    flags: [
      { ...namespace, description: 'shared secrets of this namespace; default: all' },
      project,
      { flags: '-A, --all-projects', description: 'secrets of every project' },
      { flags: '--show-values', description: 'show values with -o json and yaml, in base64' },
      outputFlag,
    ],
    run: async (call) => (await import('../commands/secrets/listSecrets.ts')).listSecrets(call),
  },
  {
    words: 'share secret',
    summary: 'give users and teams access to a secret',
    args: [secret],
    flags: [
      namespace,
      project,
      { flags: '--user <name>', description: 'user; * for all', isRepeated: true, live: 'users' },
      { flags: '--team <name>', description: 'team; * for all', isRepeated: true, live: 'teams' },
      {
        flags: '--verb <verb>',
        description: 'get, use, update or others; default: get',
        isRepeated: true,
      },
      { flags: '--remove', description: 'revoke all access of these users and teams' },
    ],
    examples: [['share secret database --team backend', 'Let a team read a secret']],
    run: async (call) => (await import('../commands/secrets/shareSecret.ts')).shareSecret(call),
  },
  {
    words: 'sync secret',
    summary: 'keep a secret of a project in sync with a shared secret',
    args: [secret],
    flags: [
      namespace,
      { ...projectFlag, description: 'project that receives the secret' },
      { flags: '--to <name>', description: 'name in the project; default: the same' },
      { flags: '--no-wait', description: 'do not wait for completion' },
      { flags: '--timeout <duration>', description: 'how long to wait; default 30s' },
    ],
    run: async (call) => (await import('../commands/secrets/syncSecret.ts')).syncSecret(call),
  },
]
