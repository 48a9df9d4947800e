import type { CommandSpec, FlagSpec } from '../base/commandSpec.ts'
import { outputFlag, projectFlag } from '../base/globalFlags.ts'

const timeout: FlagSpec = {
  flags: '--timeout <duration>',
  description: 'how long to wait for the login in the browser; default 10m',
}

/** Logins and contexts. */
export const sessionCommands: readonly CommandSpec[] = [
  {
    words: 'login',
    summary: 'log in to a server',
    details:
      'Opens the platform in your browser and waits for you on this machine. The access key of the login is kept in the keychain of the system, or in a file that only you can read. It is never taken from, or passed in, the arguments of a process.',
    args: [
      {
        name: 'URL',
        description: 'address of the platform; default: the current one',
        isOptional: true,
      },
    ],
    flags: [
      {
        flags: '--access-key',
        description: 'use an access key, from standard input, a prompt or the environment',
      },
      { flags: '--username <name>', description: 'log in with a password, which is prompted for' },
      { flags: '--password-stdin', description: 'read the password from standard input' },
      {
        flags: '--no-browser',
        description: 'log in with a browser on another machine, and enter a code here',
      },
      {
        flags: '--certificate-authority <file>',
        description: "PEM file of the server's CA; remembered",
        isFile: true,
      },
      {
        flags: '--insecure',
        description: 'do not verify the certificate of the server; remembered',
      },
      { flags: '--name <name>', description: 'name of the context; default: the host' },
      timeout,
    ],
    examples: [
      ['login https://platform.example.com', 'Log in through a browser'],
      ['login https://platform.example.com --access-key < key.txt', 'Log in with an access key'],
      ['login https://platform.example.com --no-browser', 'Log in on a machine without a browser'],
    ],
    run: async (call) => (await import('../commands/session/login.ts')).login(call),
  },
  {
    words: 'logout',
    summary: 'log out, and delete the stored credential',
    flags: [
      { flags: '--all', description: 'of every context' },
      { flags: '--forget', description: 'also forget the server' },
    ],
    run: async (call) => (await import('../commands/session/logout.ts')).logout(call),
  },
  {
    words: 'whoami',
    aliases: ['current-user'],
    summary: 'show your user',
    flags: [outputFlag],
    run: async (call) => (await import('../commands/session/whoami.ts')).whoami(call),
  },
  {
    words: 'status',
    summary: 'show the server, its version, your user and the expiry of your key',
    flags: [outputFlag],
    run: async (call) => (await import('../commands/session/status.ts')).status(call),
  },
  {
    words: 'contexts list',
    summary: 'list the servers that you are logged in to',
    isRemote: false,
    flags: [outputFlag],
    run: async (call) => (await import('../commands/session/contexts.ts')).listContexts(call),
  },
  {
    words: 'contexts use',
    summary: 'switch to another server',
    isRemote: false,
    args: [{ name: 'NAME', description: 'context', live: 'contexts' }],
    flags: [{ ...projectFlag, description: 'default project' }],
    run: async (call) => (await import('../commands/session/contexts.ts')).useContext(call),
  },
]
