/** Writes the structure of the built-in kinds as TypeScript modules, one for each package of Go types and packages.ts
 *  with all of them. Reads what kubernetesTypes.go prints. Run by update-kubernetes-types.sh. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [directory] = process.argv.slice(2)
if (directory === undefined)
  throw new Error('usage: kubernetesTypes.ts <directory> < structure.json')
// The program that prints it is the other half of this one: the words of each type, by package.
const packages = JSON.parse(readFileSync(0, 'utf8')) as Record<string, Record<string, string>>

const header = '/* Written by hack/update-kubernetes-types.sh; not to be edited. */\n'
const names = Object.keys(packages).sort()

for (const name of names) {
  const lines = Object.entries(packages[name] ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([type, words]) => `${type} ${words}`)
  const text = lines.join('\n')
  write(
    moduleName(name),
    `// prettier-ignore\nexport const ${moduleName(name)} = \`\n${text}\n\`\n`,
  )
}

const imports = names.map(
  (name) => `import { ${moduleName(name)} } from './${moduleName(name)}.ts'`,
)
const entries = names.map((name) => `  '${name}': ${moduleName(name)},`)
write(
  'packages',
  `${imports.join('\n')}

/** The types of each package, one a line, in the words that builtInTypes.ts reads. */
export const packages: Readonly<Record<string, string>> = {
${entries.join('\n')}
}
`,
)

/** `core/v1` is in coreV1.ts. */
function moduleName(name: string): string {
  return name.replace(/\/(.)/g, (_, letter: string) => letter.toUpperCase())
}

function write(name: string, text: string): void {
  writeFileSync(join(directory ?? '.', `${name}.ts`), header + text)
}
