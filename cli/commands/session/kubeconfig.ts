import { textAt } from '../../base/apiObject.ts'
import type { Call } from '../../base/commandSpec.ts'
import { CliError } from '../../base/cliError.ts'
import { openSession } from '../../client/session.ts'
import { askSelf, projectNamespace } from '../../client/self.ts'
import { targetOf } from '../../kubeconfig/useTarget.ts'

/** Prints the kubeconfig that the platform issues for a virtual cluster. Source: platform facts 1.6. */
export async function kubeconfig(call: Call): Promise<void> {
  const { flags, args, terminal } = call
  const { client, server } = await openSession(call)
  const asked = {
    kind: 'virtualcluster',
    name: args[0] ?? '',
    project: flags.string('project') ?? server.project,
  } as const
  const { project = '', name = '' } = await targetOf(client, asked)
  const place = {
    plural: 'virtualclusterinstances',
    namespace: projectNamespace(await askSelf(client), project),
  }
  const certificateTTL = flags.seconds('ttl')
  const address = flags.string('server')
  const made = await client.createBelow(place, name, 'kubeconfig', {
    spec: {
      ...(certificateTTL === undefined ? {} : { certificateTTL }),
      ...(address === undefined ? {} : { server: address }),
      ...(flags.is('clientCertificate') ? { clientCert: true } : {}),
    },
  })
  const text = textAt(made.status, 'kubeConfig')
  if (text === undefined) throw new CliError('the server answered without a kubeconfig')
  await terminal.out(text.endsWith('\n') ? text : `${text}\n`)
}
