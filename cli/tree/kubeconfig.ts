import type { ArgumentSpec, CommandSpec, FlagSpec } from '../base/commandSpec.ts'
import type { TargetKind } from '../kubeconfig/useTarget.ts'
import { projectFlag } from '../base/globalFlags.ts'

const kubeconfig: FlagSpec = {
  flags: '--kubeconfig <file>',
  description: 'kubeconfig to change; default: KUBECONFIG, otherwise ~/.kube/config',
  isFile: true,
}
const ttl: FlagSpec = {
  flags: '--ttl <duration>',
  description: 'lifetime of the issued credential',
}
const contextFlags: readonly FlagSpec[] = [
  kubeconfig,
  { flags: '--name <name>', description: 'name of the kubeconfig context' },
  { flags: '--print', description: 'print a kubeconfig instead of changing one' },
  { flags: '--no-switch', description: 'keep the current kubeconfig context' },
  {
    flags: '--exec-api-version <version>',
    description: 'version of the credential plugin interface',
    choices: ['v1', 'v1beta1'],
    default: 'v1',
  },
]
const direct: FlagSpec = {
  flags: '--direct',
  description: "connect to the cluster's own endpoint, if it has one, with a short-lived token",
}
const certificate: FlagSpec = {
  flags: '--client-certificate',
  description: 'use client certificates issued for this virtual cluster only',
}

const details =
  'The user of the context is a credential plugin: kubectl, helm and other clients ask this program for the credential at each use, so that the context keeps working when keys change.'

function useCommand(
  kind: TargetKind,
  more: {
    summary: string
    args?: readonly ArgumentSpec[]
    flags?: readonly FlagSpec[]
    aliases?: string[]
  },
): CommandSpec {
  return {
    words: `use ${kind}`,
    details,
    ...more,
    flags: [...(more.flags ?? []), ...contextFlags],
    run: async (call) => (await import('../commands/session/use.ts')).use(call, kind),
  }
}

/** Kubeconfig contexts and their credentials. */
export const kubeconfigCommands: readonly CommandSpec[] = [
  useCommand('management', { summary: 'write a context for the management API' }),
  useCommand('project', {
    summary: 'write a context for the namespace of a project, and make it the default project',
    args: [{ name: 'PROJECT', description: 'project', live: 'projects' }],
  }),
  useCommand('virtualcluster', {
    summary: 'write a context for a virtual cluster',
    aliases: ['vcluster'],
    args: [{ name: 'NAME', description: 'virtual cluster', live: 'virtualclusters' }],
    flags: [projectFlag, certificate, ttl],
  }),
  useCommand('space', {
    summary: 'write a context for a space',
    args: [{ name: 'NAME', description: 'space', live: 'spaces' }],
    flags: [projectFlag],
  }),
  useCommand('cluster', {
    summary: 'write a context for a connected cluster',
    args: [{ name: 'NAME', description: 'cluster', live: 'clusters' }],
    flags: [direct, ttl],
  }),
  {
    words: 'disconnect',
    summary: 'restore the kubeconfig context from before "use"',
    isRemote: false,
    flags: [
      kubeconfig,
      { flags: '--delete', description: 'remove the current context' },
      { flags: '--all', description: 'remove every context that "use" wrote' },
    ],
    run: async (call) => (await import('../commands/session/disconnect.ts')).disconnect(call),
  },
  {
    words: 'token',
    summary: 'print the credential for kubectl and other clients',
    details:
      'Prints an ExecCredential, in the version that the client requests. Kubeconfig contexts written by "use" run it.',
    flags: [
      { flags: '--direct', description: 'a short-lived token for endpoints of clusters' },
      { ...projectFlag, description: 'project of the virtual cluster' },
      {
        flags: '--virtualcluster <name>',
        description: 'a client certificate for this virtual cluster',
        live: 'virtualclusters',
      },
      ttl,
    ],
    run: async (call) => (await import('../commands/session/token.ts')).token(call),
  },
  {
    words: 'kubeconfig',
    summary: 'print a kubeconfig of a virtual cluster that works without this program',
    details:
      'The kubeconfig contains a credential that is valid for this virtual cluster only. Keep it secret.',
    args: [{ name: 'VIRTUALCLUSTER', description: 'virtual cluster', live: 'virtualclusters' }],
    flags: [
      projectFlag,
      { flags: '--ttl <duration>', description: 'lifetime of the credential; default 24h' },
      {
        flags: '--client-certificate',
        description: 'with a client certificate instead of an access key',
      },
      { flags: '--server <url>', description: 'address of the virtual cluster in the kubeconfig' },
    ],
    run: async (call) => (await import('../commands/session/kubeconfig.ts')).kubeconfig(call),
  },
]
