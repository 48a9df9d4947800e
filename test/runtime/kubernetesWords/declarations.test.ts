import { expect } from 'chai'
import { declaredWords } from '../../../apiserver/runtime/kubernetesWords/declarations.ts'

describe('declaredWords', () => {
  it('reads the words of a type and of its fields, without the mark for compilers', () => {
    const source = `/**
 * A set of endpoints.
 *
 * Deprecated: use slices.
 * @deprecated
 */
export interface IEndpoints {
  /**
   * The \\"subsets\\".
   * @deprecated
   */
  "subsets"?: Array<string>;
}
`
    expect(declaredWords(source)).to.deep.equal({
      description: 'A set of endpoints.\n\nDeprecated: use slices.',
      fields: { subsets: 'The "subsets".' },
    })
  })
})
