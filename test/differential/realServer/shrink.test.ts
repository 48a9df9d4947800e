import { expect } from 'chai'
import { get, type Call, type Case } from '../call.ts'
import type { Finding } from './findings.ts'
import { shrink } from './shrink.ts'

const paths = ['/a', '/b', '/c', '/d']

/** Difference in the last step that needs the step to `/b`. */
async function find({ steps, name: title }: Case): Promise<Finding | undefined> {
  // The steps of these cases are calls.
  const calls = steps as readonly Call[]
  if (!calls.some(({ path }) => path === '/b')) return undefined
  const difference = { step: calls.length - 1, at: 'status', ours: 1, peer: 2 }
  return { title, calls, differences: [{ ...difference, answers: { ours: '', peer: '' } }] }
}

describe('shrink', () => {
  it('keeps only the steps needed for the difference', async () => {
    const given: Case = { name: 'case', steps: paths.map((path) => get(path)) }
    const finding = await find(given)
    if (finding === undefined) throw new Error('nothing found')
    const { calls, differences } = await shrink(given, finding, find)
    expect(calls.map(({ path }) => path)).to.deep.equal(['/b', '/d'])
    expect(differences.map(({ step }) => step)).to.deep.equal([1])
  })
})
