/** Writes the descriptors of the built-in kinds as TypeScript modules, one for each package of Go types and kinds.ts with
 *  what they have. Reads what kubernetesProto.go prints. Run by update-kubernetes-proto.sh. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Structure {
  packages: Record<string, { imports: string[]; messages: Record<string, string[]> }>
  kinds: Record<string, Record<string, string[]>>
}

const [directory] = process.argv.slice(2)
if (directory === undefined)
  throw new Error('usage: kubernetesProto.ts <directory> < structure.json')
// The program that prints it is the other half of this one.
const { packages, kinds } = JSON.parse(readFileSync(0, 'utf8')) as Structure

const header = '/* Written by hack/update-kubernetes-proto.sh; not to be edited. */\n'
const metaPackage = 'meta/v1'

for (const [name, { imports, messages }] of Object.entries(packages)) {
  const lines = sorted(messages).map(([message, fields]) => [message, ...fields].join(' '))
  write(
    moduleName(name),
    `// prettier-ignore
export const descriptor = {
  imports: ${JSON.stringify(imports)},
  messages: \`
${lines.join('\n')}
\`,
}
`,
  )
}

const everywhere = commonKinds()
const groupVersions = sorted(kinds).flatMap(([groupVersion, ofPackages]) =>
  entry(groupVersion, ofPackages),
)
const loaders = sorted(packages).map(
  ([name]) => `  '${name}': () => import('./${moduleName(name)}.ts'),`,
)
write(
  'kinds',
  `
/** The messages of each package. */
// prettier-ignore
export const packages = {
${loaders.join('\n')}
}

export type PackageName = keyof typeof packages

/** The kinds that each group version has in a package, under \`*\` those of all. */
// prettier-ignore
export const kinds: Readonly<Record<string, Partial<Record<PackageName, string>>>> = {
${[...entry('*', { [metaPackage]: everywhere }, []), ...groupVersions].join('\n')}
}
`,
)

/** Kinds that every group except meta.k8s.io registers. */
function commonKinds(): string[] {
  const lists = Object.entries(kinds)
    .filter(([groupVersion]) => !groupVersion.startsWith('meta.k8s.io/'))
    .map(([, ofPackages]) => ofPackages[metaPackage] ?? [])
  const [first = [], ...rest] = lists
  return first.filter((kind) => rest.every((list) => list.includes(kind)))
}

function entry(
  groupVersion: string,
  ofPackages: Record<string, string[]>,
  common = everywhere,
): string[] {
  const own = sorted(ofPackages).flatMap(([name, list]) => {
    const rest = list.filter((kind) => !common.includes(kind))
    return rest.length === 0 ? [] : [`    '${name}': '${rest.join(' ')}',`]
  })
  return [`  '${groupVersion}': {`, ...own, '  },']
}

/** `core/v1` is in coreV1.ts. */
function moduleName(name: string): string {
  return name.replace(/\/(.)/g, (_, letter: string) => letter.toUpperCase())
}

function sorted<T>(record: Record<string, T>): [string, T][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))
}

function write(name: string, text: string): void {
  writeFileSync(join(directory ?? '.', `${name}.ts`), header + text)
}
