/** Writes the page of deviations from its data: `deviationTable.ts PAGE`. */
import { writeFileSync } from 'node:fs'
import { readDeviations, type Deviation } from './deviations.ts'

const largestCount = 40

const [page = 'docs/reference/deviations.md'] = process.argv.slice(2)
const all = readDeviations()
if (all.length > largestCount)
  throw new Error(
    `docs/reference/deviations.yaml has ${all.length} entries, more than ${largestCount}`,
  )
writeFileSync(page, pageOf(all))

function pageOf(deviations: readonly Deviation[]): string {
  const meant = deviations.filter(({ gain }) => gain !== undefined)
  const owed = deviations.filter((one) => one.owed !== undefined)
  return `# Deviations

This page lists the differences between this server and kube-apiserver. Any other difference is a bug.

\`make differential\` sends the same requests to this server and to kube-apiserver, \`make conformance\` to the sample API
server of its library. Both report each difference that the first table does not explain. The tables are generated from
\`docs/reference/deviations.yaml\` by \`hack/update-deviations.sh\`.

${table('Benefit for users', meant, ({ gain }) => gain)}

## To be fixed

These differences have no benefit for users, so they are still reported.

${table('Missing here', owed, (one) => one.owed)}
`
}

function table(
  reason: string,
  deviations: readonly Deviation[],
  reasonOf: (deviation: Deviation) => string | undefined,
): string {
  const rows = deviations.map((one) => [one.what, one.here, one.there, reasonOf(one)])
  const lines = [['What', 'Here', 'There', reason], ['---', '---', '---', '---'], ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
