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

This page lists every metric of \`/metrics\`. It is generated from a running server by \`hack/update-metrics-reference.sh\`. Metrics
that kube-apiserver also has use its names. Features that are not in use here, such as etcd, have further metrics. A test checks that
the alert rules and the dashboard in \`deploy/monitoring/\` use only these metrics. [running.md](../operate/running.md#monitor) shows how to
create a key that can read only the metrics.

| metric | type | |
|---|---|---|
${rows.join('\n')}
`,
)
