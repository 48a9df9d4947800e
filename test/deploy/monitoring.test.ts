import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { waitUntil } from '../support/waitUntil.ts'
import { namespaces, openTestServer, type TestServer } from '../endpoints/support/testServer.ts'

const folder = join(import.meta.dirname, '../../deploy/monitoring')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[]
}
interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[]
}

/** Functions, keywords and labels of PromQL used in the expressions. */
const words = new Set(['sum', 'by', 'rate', 'increase', 'histogram_quantile', 'time', 'topk', 'le'])
// Provided by the scraper rather than by the server.
const ofScraper = new Set(['up'])

/** Names of metrics in an expression: words outside of braces, brackets and label lists. */
function metricsIn(expr: string): string[] {
  const bare = expr.replace(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, ' ')
  return (bare.match(/[a-z_]\w*/g) ?? []).filter((word) => !words.has(word) && !ofScraper.has(word))
}

describe('deploy/monitoring', () => {
  const rules = (parse(read('alerts.yaml')) as Rules).groups.flatMap((group) => group.rules)
  const { panels } = JSON.parse(read('dashboard.json')) as Dashboard
  let server: TestServer
  let dataDir: string
  let names: Set<string>
  let body: string

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'monitoring-'))
    const backup = { folder: join(dataDir, 'backups') }
    server = await openTestServer({ storage: 'level', dataDir, backup })
    await server.admin.get(namespaces)
    await waitUntil(async () => {
      body = (await server.admin.get('/metrics')).text
      return /^platform_backup_last_size_bytes \d/m.test(body)
    })
    names = new Set(body.match(/^[a-z_]\w*(?=[{ ])/gm))
  })
  after(async () => {
    await server.running.stop()
    await rm(dataDir, { recursive: true })
  })

  it('uses a metric in each expression', () => {
    const all = [
      ...rules.map(({ expr }) => expr),
      ...panels.flatMap((one) => one.targets.map(({ expr }) => expr)),
    ]
    expect(all.length).to.be.above(20)
    expect(
      all.filter((expr) => metricsIn(expr).length === 0 && !expr.startsWith('up{')),
    ).to.deep.equal([])
  })

  it('alerts only on existing metrics, and says what to do', () => {
    for (const { alert, expr, annotations } of rules) {
      expect(
        metricsIn(expr).filter((name) => !names.has(name)),
        alert,
      ).to.deep.equal([])
      expect(annotations, alert).to.have.all.keys('summary', 'action')
    }
  })

  it('shows only existing metrics', () => {
    for (const { title, targets } of panels)
      for (const { expr } of targets)
        expect(
          metricsIn(expr).filter((name) => !names.has(name)),
          title,
        ).to.deep.equal([])
  })

  it('includes the build, database size, free disk space and certificate expiry', () => {
    const value = (line: RegExp) => Number(line.exec(body)?.[1])
    expect(value(/^platform_build_info\{version="[^"]+",node="[^"]+"\} (.*)$/m)).to.equal(1)
    expect(value(/^platform_database_bytes\{kind="log"\} (.*)$/m)).to.be.above(0)
    expect(value(/^platform_data_folder_free_bytes (.*)$/m)).to.be.above(0)
    const ends = value(/^platform_serving_certificate_expiration_timestamp_seconds (.*)$/m)
    expect(ends - Date.now() / 1000).to.be.within(300 * 86_400, 400 * 86_400)
  })
})
