import { expect } from 'chai'
import { kubectlText } from './kubectlText.ts'

describe('kubectlText', () => {
  const cases = {
    'ages of rows, and the width of columns': ['a    1/1   12s', 'a  1/1  age'],
    'times of descriptions': [
      'CreationTimestamp:  Fri, 27 Nov 2026 12:00:00 +0000',
      'CreationTimestamp:  time',
    ],
    'times of network policies': [
      'Created on:   2026-11-27 12:28:00 +0000 UTC',
      'Created on:  time',
    ],
    uids: ['uid 01234567-89ab-cdef-0123-456789abcdef.', 'uid uid.'],
    'allocated addresses and ports': ['10.96.3.4  80:31234/TCP', 'address  80:port/TCP'],
  }
  for (const [what, [text = '', want]] of Object.entries(cases)) {
    it(`replaces ${what}`, () => expect(kubectlText(text)).to.equal(want))
  }

  it('leaves other texts as they are', () => {
    expect(kubectlText('Limits:\n  cpu:  1\n')).to.equal('Limits:\n  cpu:  1\n')
  })
})
