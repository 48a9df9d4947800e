import { expect } from 'chai'
import { goTemplateText } from '../../../cli/output/goTemplate.ts'
import { jsonPathText } from '../../../cli/output/jsonPath.ts'
import { lineDiff } from '../../../cli/output/lineDiff.ts'
import { tableText } from '../../../cli/output/table.ts'

const list = {
  kind: 'List',
  items: [
    {
      metadata: { name: 'a', labels: { 'app.io/x': 'one' } },
      spec: { count: 1, on: true, tags: ['p', 'q'] },
    },
    { metadata: { name: 'b' }, spec: { count: 2, on: false, tags: [] } },
  ],
}

describe('jsonPathText', () => {
  // Output of kubectl get -o jsonpath.
  const cases: [template: string, text: string][] = [
    ['{.kind}', 'List'],
    ['.kind', 'List'],
    ['{.items[*].metadata.name}', 'a b'],
    ['{.items[0].metadata.name}', 'a'],
    ['{.items[-1].metadata.name}', 'b'],
    ['{.items[0:1].metadata.name}', 'a'],
    ["{.items[0].metadata.labels['app\\.io/x']}", 'one'],
    ['{range .items[*]}{.metadata.name}{"\\t"}{.spec.count}{"\\n"}{end}', 'a\t1\nb\t2\n'],
    ['{.items[?(@.spec.count>1)].metadata.name}', 'b'],
    ['{.items[?(@.metadata.name=="a")].spec.tags}', '["p","q"]'],
    ['{.items[?(@.metadata.labels)].metadata.name}', 'a'],
    ['{..name}', 'a b'],
    ['names: {.items[*].metadata.name}!', 'names: a b!'],
    ['{.nothing}', ''],
    ['{$.kind}', 'List'],
  ]
  for (const [template, text] of cases)
    it(`gives "${text}" for ${template}`, () => {
      expect(jsonPathText(template, list)).to.equal(text)
    })

  for (const template of ['{.items', '{range .items[*]}x', '{.items[?(@.a==nope)]}', '{.a[}'])
    it(`refuses ${template}`, () => {
      expect(() => jsonPathText(template, list)).to.throw(/^jsonpath: /)
    })
})

describe('goTemplateText', () => {
  const cases: [template: string, text: string][] = [
    ['{{.kind}}', 'List'],
    ['{{range .items}}{{.metadata.name}}{{"\\n"}}{{end}}', 'a\nb\n'],
    ['{{range .items}}{{if .spec.on}}{{.metadata.name}}{{else}}-{{end}}{{end}}', 'a-'],
    ['{{index .items 1 "metadata" "name"}}', 'b'],
    ['{{len .items}}', '2'],
    ['{{with index .items 0}}{{.spec.tags}}{{end}}', '[p q]'],
    ['{{range .items}}{{range .spec.tags}}{{.}}{{else}}none{{end}};{{end}}', 'pq;none;'],
    ['{{printf "%s=%v" .kind (len .items)}}', 'List=2'],
    ['{{"czNjcmV0" | base64decode}}', 's3cret'],
    ['{{.nothing}}', '<no value>'],
    ['a {{- " b" }}', 'a b'],
    ['{{if eq .kind "List"}}yes{{end}}{{if not .kind}}no{{end}}', 'yes'],
    ['{{/* a comment */}}x', 'x'],
  ]
  for (const [template, text] of cases)
    it(`gives "${text.replaceAll('\n', '\\n')}" for ${template}`, () => {
      expect(goTemplateText(template, list)).to.equal(text)
    })

  for (const template of ['{{end}}', '{{range .items}}', '{{unknown .kind}}'])
    it(`refuses ${template}`, () => {
      expect(() => goTemplateText(template, list)).to.throw(/^go-template: /)
    })
})

describe('lineDiff', () => {
  it('is empty for equal texts', () => {
    expect(lineDiff('a\nb\n', 'a\nb\n')).to.equal('')
  })

  it('shows removed and added lines with three lines around them', () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`)
    const after = lines.with(6, 'changed')
    expect(lineDiff(lines.join('\n'), after.join('\n'))).to.equal(
      '@@\n line 3\n line 4\n line 5\n-line 6\n+changed\n line 7\n line 8\n line 9\n',
    )
  })
})

describe('tableText', () => {
  it('puts columns three spaces apart, without spaces at the end of a line', () => {
    const table = {
      columns: ['Name', 'Age'],
      rows: [
        ['long name', '1s'],
        ['b', ''],
      ],
    }
    expect(tableText(table)).to.equal('NAME        AGE\nlong name   1s\nb\n')
  })
})
