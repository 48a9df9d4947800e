import type { Call } from '../../base/commandSpec.ts'
import { textAt } from '../../base/apiObject.ts'
import { usageError } from '../../base/cliError.ts'
import { openSession, type Session } from '../../client/session.ts'
import type { PlatformNames } from '../../context/platformNames.ts'
import { changeSettings } from '../../context/settings.ts'
import { execUser } from '../../kubeconfig/execUser.ts'
import {
  changeKubeconfig,
  kubeconfigPath,
  standaloneKubeconfig,
  type KubeEntry,
} from '../../kubeconfig/kubeconfigFile.ts'
import { targetOf, type Target, type TargetKind } from '../../kubeconfig/useTarget.ts'
import { yamlText } from '../../output/formatted.ts'

/** Writes a kubeconfig context for an API of the platform. This program provides the credential at each use. */
export async function use(call: Call, kind: TargetKind): Promise<void> {
  const session = await openSession(call)
  const target = await targetOf(session.client, {
    kind,
    name: call.args[0] ?? '',
    project:
      call.flags.string('project') ??
      (call.args[1] === undefined ? session.server.project : undefined),
  })
  await writeContext(call, session, target)
}

/** Prints or writes the kubeconfig context of a target. */
export async function writeContext(call: Call, session: Session, target: Target): Promise<void> {
  const { flags, terminal } = call
  const entry = entryOf(call, session, target)
  if (flags.is('print')) return terminal.out(await yamlText(standaloneKubeconfig(entry)))
  const path = kubeconfigPath(call)
  let previous: string | undefined
  await changeKubeconfig(path, (config) => {
    previous = config.current
    config.set(entry)
    if (!flags.isOff('switch')) config.use(entry.name)
  })
  await remember(call, { path, previous, target, session })
  terminal.say(
    flags.isOff('switch')
      ? `Wrote the context ${entry.name} to ${path}.`
      : `kubectl now uses the context ${entry.name} of ${path}.`,
  )
}

function entryOf(call: Call, session: Session, target: Target): KubeEntry {
  const { flags, program } = call
  const name =
    flags.string('name') ?? [program.name, session.context ?? 'env', ...target.words].join('_')
  const apiVersion = flags.string('execApiVersion') === 'v1beta1' ? 'v1beta1' : 'v1'
  const user = execUser(call, { args: tokenArgs(call, session, target), apiVersion })
  return { name, cluster: clusterOf(call, session, target), user, namespace: target.namespace }
}

function clusterOf(
  { flags }: Call,
  { server, client }: Session,
  target: Target,
): Record<string, unknown> {
  const direct = flags.is('direct') ? directEndpoint(client.names, target) : undefined
  if (direct !== undefined) return direct
  return {
    server: server.url + target.path,
    ...(server.certificateAuthority === undefined
      ? {}
      : {
          'certificate-authority-data': Buffer.from(server.certificateAuthority).toString('base64'),
        }),
    ...(server.insecure === true ? { 'insecure-skip-tls-verify': true } : {}),
  }
}

/** Direct endpoint of the cluster; undefined: none, it is reached through the platform. */
function directEndpoint(
  { domain, proxySegment }: PlatformNames,
  { object }: Target,
): Record<string, unknown> | undefined {
  const annotation = (name: string) =>
    textAt(object, 'metadata', 'annotations', `${domain}/direct-cluster-endpoint${name}`)
  const host = annotation('')
  if (host === undefined) return undefined
  const url = host.includes('://') ? host : `https://${host}`
  const authority = annotation('-ca-data')
  return {
    server: `${url.replace(/\/+$/, '')}/${proxySegment}/cluster`,
    ...(authority === undefined ? {} : { 'certificate-authority-data': authority }),
    ...(annotation('-insecure') === 'true' ? { 'insecure-skip-tls-verify': true } : {}),
  }
}

/** Arguments with which `token` finds the credential again. */
function tokenArgs(
  { flags }: Call,
  { context }: Session,
  { kind, name = '', project = '' }: Target,
): string[] {
  const ofContext = context === undefined ? [] : ['--context', context]
  const ttl = flags.string('ttl')
  const ofTtl = ttl === undefined ? [] : ['--ttl', ttl]
  if (flags.is('clientCertificate')) {
    if (kind !== 'virtualcluster')
      throw usageError(
        'client certificates are for virtual clusters',
        'Leave out --client-certificate.',
      )
    return [...ofContext, '--project', project, '--virtualcluster', name, ...ofTtl]
  }
  if (flags.is('direct')) return [...ofContext, '--direct', ...ofTtl]
  if (ttl !== undefined)
    throw usageError(
      '--ttl is for credentials that are issued for the context',
      'Add --direct or --client-certificate.',
    )
  return ofContext
}

/** Remembers the context before the first `use`, for `disconnect`, and the project as the default. */
async function remember(
  call: Call,
  {
    path,
    previous,
    target,
    session,
  }: { path: string; previous: string | undefined; target: Target; session: Session },
): Promise<void> {
  const prefix = `${call.program.name}_`
  await changeSettings(call, (settings) => {
    if (previous !== undefined && !previous.startsWith(prefix))
      settings.previousKubeContexts = { ...settings.previousKubeContexts, [path]: previous }
    const stored = session.context === undefined ? undefined : settings.contexts[session.context]
    if (target.kind === 'project' && target.project !== undefined && stored !== undefined)
      stored.project = target.project
  })
}
