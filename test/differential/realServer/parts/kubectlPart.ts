import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { runToEnd } from '../../../conformance/support/command.ts'
import { findKubectls, type KubectlBinary } from '../../../conformance/support/kubectlBinaries.ts'
import { Workspace } from '../../../conformance/support/workspace.ts'
import { kubectlText } from '../../kubectlText.ts'
import type { Side } from '../../side.ts'
import type { Part } from '../part.ts'
import { createSeeds } from '../seeds/seedObjects.ts'
import { readSeeds, seedNamespace, type Seed } from '../seeds/seeds.ts'

/** Compared versions, those that are there: the oldest with all commands, and the two newest. */
const minors = [30, 36, 37]

/** Output of several versions of kubectl about an object of each kind. */
export const kubectlPart: Part = {
  name: 'kubectl',
  titles: readSeeds().map(({ title }) => title),
  run: async ({ servers, isWanted, found }) => {
    const seeds = readSeeds().filter(({ title, isAsked }) => isWanted(title) && !isAsked)
    await Promise.all([createSeeds(servers.ours, seeds), createSeeds(servers.real, seeds)])
    const workspace = new Workspace()
    let compared = 0
    try {
      const folder = workspace.folder('applied')
      const all = await findKubectls(workspace)
      for (const client of all.filter(({ minor }) => minors.includes(minor))) {
        for (const [at, seed] of seeds.entries()) {
          const file = join(folder, `${at}.json`)
          writeFileSync(file, JSON.stringify(seed.body))
          const commands = [...commandsOf(seed), ...appliesOf(file)]
          for (const args of commands.filter((one) => !showsOtherStatus(seed, one))) {
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

/** Applies by client and server; the first one reports the missing annotation, the next one no change. */
function appliesOf(file: string): string[][] {
  const apply = ['apply', '-n', seedNamespace, '-f', file]
  return [[...apply, '--server-side', '--dry-run=server'], apply, apply]
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
