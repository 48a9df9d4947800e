import { expect } from 'chai'
import { parseLiterals } from '../../../apiserver/meta/json/exactJson.ts'
import { NumberLiteral } from '../../../apiserver/meta/json/numberLiteral.ts'

/** Source: Go, strconv.ParseInt of the literal; seen on kube-apiserver 1.37.2. */
describe('parseLiterals', () => {
  for (const text of ['1.0', '1e1', '1E0', '-0.0', '10.50', '1e400', '9223372036854775808'])
    it(`keeps ${text} as written`, () => {
      const [value] = parseLiterals(`[${text}]`) as [unknown]
      expect(value).to.be.instanceOf(NumberLiteral)
      expect(String(value)).to.equal(text)
    })

  it('reads all other numbers normally', () => {
    const text = '{"a":[1,-0,1.5,9223372036854775807],"b":"1.0, 2e1","c":1.0}'
    const { a, b, c } = parseLiterals(text) as Record<string, unknown>
    expect([a, b]).to.deep.equal([[1, -0, 1.5, 2n ** 63n - 1n], '1.0, 2e1'])
    expect(JSON.stringify(c)).to.equal('1')
  })
})
