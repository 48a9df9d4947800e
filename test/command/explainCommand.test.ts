import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { parseAllDocuments } from 'yaml'
import { UsageError } from '../../apiserver/command/config/usageError.ts'
import { explainFiles } from '../../apiserver/command/explainCommand.ts'
import { describeStartFailure } from '../../apiserver/command/startFailure.ts'

const at = 'sync.toHost.endpoints.patches'
const config = (patch: string) =>
  `sync:\n  toHost:\n    endpoints:\n      patches:\n      - ${patch}\n`
const good = config(`{path: 'metadata.annotations[*]', expression: '"p-" + value'}`)
const db = 'apiVersion: v1\nkind: Endpoints\nmetadata: {name: db, annotations: {a: x}}\n'

/**
 * Output of `sync explain` for files with these contents, or its error; `$` represents their
 * folder.
 */
async function explain(texts: Record<string, string>, ...more: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'explain-'))
  try {
    for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text)
    const files = Object.keys(texts).flatMap((name) => ['-f', join(folder, name)])
    const args = more.map((arg) => arg.replace('$', folder))
    return { out: await explainFiles([...files, ...args]) }
  } catch (error) {
    if (error instanceof UsageError) return { usage: error.problems }
    return { error: describeStartFailure(error).replaceAll(folder, '$').split('\n') }
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('sync explain', function () {
  this.timeout(20_000)

  it('shows patches and the resulting host object, a document for each object', async () => {
    const service =
      'apiVersion: v1\nkind: Service\nmetadata: {name: db}\nspec: {ports: [{port: 1}]}\n'
    const { out = '' } = await explain(
      { 'config.yaml': good, 'objects.yaml': `${db}---\n${service}` },
      ...['--name', 'my-vcluster', '--host-namespace', 'team-x', '--names-domain', 'acme.dev'],
    )
    const shown = parseAllDocuments(out).map((document) => document.toJS() as unknown)
    const labels = {
      'vcluster.acme.dev/managed-by': 'my-vcluster',
      'vcluster.acme.dev/namespace': 'default',
    }
    const annotations = (kind: string) => ({
      'vcluster.acme.dev/object-name': 'db',
      'vcluster.acme.dev/object-namespace': 'default',
      'vcluster.acme.dev/object-uid': '',
      'vcluster.acme.dev/object-kind': `/v1, Kind=${kind}`,
      'vcluster.acme.dev/object-host-name': 'db-x-default-x-my-vcluster',
      'vcluster.acme.dev/object-host-namespace': 'team-x',
    })
    const place = { name: 'db-x-default-x-my-vcluster', namespace: 'team-x' }
    const managed = { a: 'p-x', 'vcluster.acme.dev/managed-annotations': 'a' }
    expect(shown).to.deep.equal([
      {
        object: 'Endpoints default/db',
        patches: [
          {
            path: 'metadata.annotations[*]',
            by: '"p-" + value',
            matches: [{ path: 'metadata.annotations.a', input: 'x', result: 'p-x' }],
          },
        ],
        host: {
          apiVersion: 'v1',
          kind: 'Endpoints',
          metadata: { ...place, labels, annotations: { ...annotations('Endpoints'), ...managed } },
        },
      },
      {
        object: 'Service default/db',
        patches: [],
        host: {
          apiVersion: 'v1',
          kind: 'Service',
          spec: { ports: [{ port: 1 }] },
          metadata: { ...place, labels, annotations: annotations('Service') },
        },
      },
    ])
  })

  it('reads standard input for the file -', async () => {
    const out = await explainFiles(['-f', '-'], { input: Readable.from([db]) })
    expect(parseAllDocuments(out).map((one) => one.get('object'))).to.deep.equal([
      'Endpoints default/db',
    ])
    const failure = await explainFiles(['-f', '-'], { input: Readable.from(['a: "b']) }).catch(
      describeStartFailure,
    )
    expect(failure).to.match(/^standard input: line 1, column 6: /)
    const twice = await explainFiles(['-f', '-', '-f', '-'], { input: Readable.from([db]) }).catch(
      (error: unknown) => error,
    )
    expect(twice).to.be.instanceOf(UsageError)
  })

  it('warns about unknown keys below toHost, and still explains', async () => {
    const warnings: string[] = []
    const documents = `sync: {toHost: {endpoint: {enabled: false}}}\n---\n${db}`
    const input = Readable.from([documents])
    const out = await explainFiles(['-f', '-'], { input, warn: (text) => warnings.push(text) })
    expect(out).to.include('object: Endpoints default/db')
    expect(warnings).to.deep.equal([
      'standard input: sync.toHost has the unknown key endpoint, which changes nothing',
    ])
  })

  it('accepts a list as kubectl writes it', async () => {
    const item = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'db' } }
    const list = { apiVersion: 'v1', kind: 'List', items: [item, item] }
    const { out = '' } = await explain({ 'list.json': JSON.stringify(list) })
    expect(parseAllDocuments(out).length).to.equal(2)
  })

  const files: [name: string, texts: Record<string, string>, more: string[], lines: string[]][] = [
    [
      'a configuration that is no YAML, with line and column',
      { 'config.yaml': 'a: 1\nb: "x\n', 'db.yaml': db },
      [],
      ['$/config.yaml: line 3, column 1: Missing closing "quote'],
    ],
    [
      'an object that is no YAML, in the second document',
      { 'db.yaml': `${db}---\na: b: c\n` },
      [],
      ['$/db.yaml: line 5, column 4: Nested mappings are not allowed in compact mappings'],
    ],
    [
      'keys that are there twice',
      { 'config.yaml': 'a: 1\na: 2\n', 'db.yaml': db },
      [],
      ['$/config.yaml: line 2, column 1: Map keys must be unique'],
    ],
    [
      'a name for what is not there',
      { 'config.yaml': 'a: &a 1\nb: *c\n', 'db.yaml': db },
      [],
      ['$/config.yaml: line 2, column 4: the anchor &c is not defined'],
    ],
    [
      'a missing file',
      { 'db.yaml': db },
      ['-f', '$/none.yaml'],
      ['cannot use $/none.yaml: it does not exist'],
    ],
    ['a folder', { 'db.yaml': db }, ['-f', '$'], ['cannot use $: it is a folder']],
    [
      'an object without a name',
      { 'db.yaml': 'kind: Endpoints\n' },
      [],
      ['$/db.yaml: apiVersion is required', '$/db.yaml: metadata.name is required'],
    ],
    [
      'metadata of wrong types',
      { 'db.yaml': 'apiVersion: v1\nkind: Endpoints\nmetadata: {name: 5, labels: [a]}\n' },
      [],
      ['$/db.yaml: metadata.name must be a text', '$/db.yaml: metadata.labels must be a map'],
    ],
    [
      'a configuration that is no map',
      { 'config.yaml': '- a\n', 'db.yaml': db },
      [],
      ['$/config.yaml: the configuration must be a map'],
    ],
    [
      'a path that cannot be read',
      { 'config.yaml': config(`{path: 'a[', expression: value}`), 'db.yaml': db },
      [],
      [`$/config.yaml: ${at}[0].path is invalid: unexpected unclosed bracket`],
    ],
    [
      'a patch that does nothing',
      { 'config.yaml': config('{path: a}'), 'db.yaml': db },
      [],
      [`$/config.yaml: ${at}[0] need to use one of: expression, labels or reference`],
    ],
    [
      'an expression that is none',
      { 'config.yaml': config(`{path: a, expression: 'value +'}`), 'db.yaml': db },
      [],
      [
        `$/config.yaml: ${at}[0].expression is not an ES6 expression: SyntaxError: unexpected token in expression: ')'`,
      ],
    ],
  ]
  for (const [name, texts, more, lines] of files) {
    it(`refuses ${name}`, async () => {
      expect(await explain(texts, ...more)).to.deep.equal({ error: lines })
    })
  }

  const usages: [name: string, texts: Record<string, string>, more: string[], problem: string][] = [
    [
      'an empty file alone',
      { 'empty.yaml': '' },
      [],
      'no Kubernetes object found in the given files',
    ],
    [
      'two configurations',
      { 'a.yaml': good, 'b.yaml': good, 'db.yaml': db },
      [],
      'more than one document without a kind in the given files',
    ],
    ['an unknown flag', { 'db.yaml': db }, ['--bogus'], "Unknown option '--bogus'"],
  ]
  for (const [name, texts, more, problem] of usages) {
    it(`refuses ${name} as wrong usage`, async () => {
      expect(await explain(texts, ...more)).to.deep.equal({ usage: [problem] })
    })
  }
})
