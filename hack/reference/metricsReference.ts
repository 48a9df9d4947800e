/** Writes the page of metrics from the output of a server: `metricsReference.ts PAGE`. */
import { writeFileSync } from 'node:fs'
import { servedDocument } from '../docs/servedDocument.ts'
import { codeCell, textCell } from '../docs/tableCells.ts'

const [page = 'docs/reference/metrics.md'] = process.argv.slice(2)
const text = await servedDocument('/metrics')
const types = new Map(
  [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]),
)
const rows = [...text.matchAll(/^# HELP (\S+) (.*)$/gm)]
  .map(([, name = '', help = '']) => [codeCell(name), types.get(name) ?? '', textCell(help)])
  .map((cells) => `| ${cells.join(' | ')} |`)
  .sort()

writeFileSync(
  page,
  `# Metrics

Every metric of \`/metrics\`, written from what a server serves by \`hack/update-metrics-reference.sh\`. Names that Kubernetes has are
those of Kubernetes. Metrics of things that are not in use, such as etcd, appear when they are. The alert rules and the dashboard
in \`deploy/monitoring/\` use these, and a test checks that they exist; [running.md](../operate/running.md#monitor) has a key that may read them and
nothing else.

| metric | type | |
|---|---|---|
${rows.join('\n')}
`,
)
