import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { parse } from 'yaml'
import { explainFiles } from '../../apiserver/command/explainCommand.ts'

const text = readFileSync(join(import.meta.dirname, '../../docs/clusters/sync.md'), 'utf8')
const flags = ['--name', 'my-vcluster', '--host-namespace', 'team-x']
const fence = /```yaml\n(.*?)```/gs

describe('examples of docs/clusters/sync.md', function () {
  this.timeout(20_000)
  const sections = text.split(/^### \d+\. /m).slice(1)

  it('are at least fifteen', () => {
    expect(sections.length).to.be.at.least(15)
  })

  for (const section of sections)
    it(`shows the explanation: ${section.split('\n', 1)[0]}`, async () => {
      const [config, object, shown, ...more] = [...section.matchAll(fence)].map(([, yaml]) => yaml)
      expect(more).to.deep.equal([])
      const input = Readable.from([`${config}---\n${object}`])
      const explained = parse(await explainFiles(['-f', '-', ...flags], { input })) as {
        patches: unknown
      }
      expect(explained.patches).to.deep.equal(parse(shown ?? ''))
    })
})
