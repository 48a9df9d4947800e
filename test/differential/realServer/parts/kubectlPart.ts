import { basename } from 'node:path'
import { runToEnd } from '../../../conformance/support/command.ts'
import { findKubectls, type KubectlBinary } from '../../../conformance/support/kubectlBinaries.ts'
import { Workspace } from '../../../conformance/support/workspace.ts'
import { kubectlText } from '../../kubectlText.ts'
import type { Side } from '../../side.ts'
import type { Part } from '../part.ts'
import { createSeeds } from '../seeds/seedObjects.ts'
import { readSeeds, seedNamespace, type Seed } from '../seeds/seeds.ts'

const oldestMinor = 30

/** Output of the oldest and the newest compared kubectl about an object of each kind. */
export const kubectlPart: Part = {
  name: 'kubectl',
  titles: readSeeds().map(({ title }) => title),
  run: async ({ servers, isWanted, found }) => {
    const seeds = readSeeds().filter(({ title, isAsked }) => isWanted(title) && !isAsked)
    await Promise.all([createSeeds(servers.ours, seeds), createSeeds(servers.real, seeds)])
    const workspace = new Workspace()
    let compared = 0
    try {
      const all = (await findKubectls(workspace)).filter(({ minor }) => minor >= oldestMinor)
      for (const client of new Set([all[0], all.at(-1)])) {
        if (client === undefined) continue
        for (const seed of seeds) {
          for (const args of commandsOf(seed).filter((one) => !showsOtherStatus(seed, one))) {
            const print = (side: Side) => printed(workspace, client, side, args)
            const [ours, real] = await Promise.all([print(servers.ours), print(servers.real)])
            compared++
            if (ours === real) continue
            const command = [basename(client.path), ...args].join(' ')
            const differences = [{ step: 0, ...firstLine(ours, real) }]
            found({ title: `${seed.title} ${args[0] ?? ''}`, calls: [], command, differences })
          }
        }
      }
    } finally {
      workspace.close()
    }
    return compared
  },
}

function commandsOf({ path, body }: Seed): string[][] {
  const [, group = '', version = ''] = /^\/(?:api|apis\/([^/]+))\/([^/]+)\//.exec(path) ?? []
  const plural = path.slice(path.lastIndexOf('/') + 1)
  const resource = group === '' ? plural : `${plural}.${version}.${group}`
  const object = [resource, body.metadata.name, '-n', seedNamespace]
  const apiVersion = group === '' ? version : `${group}/${version}`
  return [
    ['get', ...object],
    ['get', ...object, '-o', 'wide'],
    ['get', ...object, '-o', 'name'],
    ['describe', ...object],
    ['explain', plural, '--recursive', `--api-version=${apiVersion}`],
    ['label', ...object, 'shown=yes', '--dry-run=server'],
  ]
}

async function printed(
  workspace: Workspace,
  client: KubectlBinary,
  { name, port, secureUrl = `https://127.0.0.1:${port}`, tokens }: Side,
  args: readonly string[],
): Promise<string> {
  const { stdout, stderr } = await runToEnd(workspace, [
    ...[
      client.path,
      ...args,
      '--kubeconfig=/dev/null',
      `--server=${secureUrl}`,
      '--insecure-skip-tls-verify',
    ],
    ...[`--token=${tokens.admin}`, `--cache-dir=${workspace.root}/cache-${name}`],
  ])
  const text = kubectlText(stdout + stderr)
  // Descriptions list the entries of a map in an order that changes with each call.
  return args[0] === 'describe' ? text.split('\n').sort().join('\n') : text
}

/** First differing lines, as one difference. */
function firstLine(ours: string, real: string) {
  const [left, right] = [ours.split('\n'), real.split('\n')]
  const line = left.findIndex((text, index) => text !== right[index])
  const at = line < 0 ? left.length : line
  const shown = (lines: readonly string[]) => lines.slice(at, at + 3).join('\n')
  const [here, there] = [shown(left), shown(right)]
  return { at: 'output', ours: here, peer: there, answers: { ours: here, peer: there } }
}

/**
 * Reports whether a command prints the availability of an API on another server, which only the
 * real server checks: a deviation.
 */
function showsOtherStatus({ title }: Seed, [verb, , , , , output]: readonly string[]): boolean {
  if (!title.startsWith('apiservices.')) return false
  return verb === 'describe' || (verb === 'get' && output !== 'name')
}
