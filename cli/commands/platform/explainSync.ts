import type { Call } from '../../base/commandSpec.ts'
import { stringify } from '../../base/yaml.ts'
import { openSession } from '../../client/session.ts'
import { readSyncDocuments } from '../../syncing/readFiles.ts'

/** Explains the sync of objects of a virtual cluster to its host, with the server or offline. */
export async function explainSync(call: Call): Promise<void> {
  const { flags, terminal } = call
  const read = async () => (await terminal.readAll('document')).toString('utf8')
  const { config, objects } = await readSyncDocuments(flags.each('filename'), read)
  const name = flags.string('name') ?? 'vcluster'
  const hostNamespace = flags.string('hostNamespace') ?? 'vcluster-ns'
  const asked = { config, objects, name, hostNamespace }
  const explained = flags.is('offline')
    ? await offline({ ...asked, domain: flags.string('namesDomain') ?? call.program.name })
    : await byServer(call, asked)
  const texts = explained.map((each) =>
    stringify(each, { lineWidth: 0, aliasDuplicateObjects: false }),
  )
  await terminal.out(texts.join('---\n'))
}

interface Asked {
  config: unknown
  objects: readonly unknown[]
  name: string
  hostNamespace: string
}

async function offline(asked: Asked & { domain: string }): Promise<unknown[]> {
  const { explainOffline } = await import('../../syncing/explainOffline.ts')
  return explainOffline(asked)
}

async function byServer(
  call: Call,
  { config, objects, name, hostNamespace }: Asked,
): Promise<unknown[]> {
  const { client } = await openSession(call)
  const explained: unknown[] = []
  for (const object of objects) {
    const spec = {
      ...(config === undefined ? {} : { config: stringify(config) }),
      object,
      virtualCluster: name,
      hostNamespace,
    }
    const made = await client.create(
      { plural: 'virtualclustersyncexplanations' },
      { metadata: {}, spec },
    )
    explained.push(made.status)
  }
  return explained
}
