/** Draws the tables of docs/reference/benchmarks.md into docs/images/benchmarks/. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { benchmarkCharts } from './charts/benchmarkCharts.ts'

const folder = 'docs/images/benchmarks'
mkdirSync(folder, { recursive: true })
const charts = benchmarkCharts(readFileSync('docs/reference/benchmarks.md', 'utf8'))
for (const [name, svg] of Object.entries(charts)) writeFileSync(`${folder}/${name}`, svg)
