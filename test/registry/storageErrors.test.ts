import { expect } from 'chai'
import { StatusError } from '../../apiserver/meta/status.ts'
import { toStatusError } from '../../apiserver/registry/storageErrors.ts'
import { StorageError, type StorageErrorCode } from '../../apiserver/storage/errors.ts'
import { failure } from '../support/refusal.ts'

const resource = { group: 'example.dev', resource: 'things' }
const details = { name: 'a', group: 'example.dev', kind: 'things' }

describe('toStatusError', () => {
  const cases: { code: StorageErrorCode; want: unknown }[] = [
    {
      code: 'KeyExists',
      want: failure(409, 'AlreadyExists', 'things.example.dev "a" already exists', details),
    },
    {
      code: 'KeyNotFound',
      want: failure(404, 'NotFound', 'things.example.dev "a" not found', details),
    },
    {
      code: 'RevisionConflict',
      want: failure(
        409,
        'Conflict',
        'Operation cannot be fulfilled on things.example.dev "a": the object has been modified; please apply your changes to the latest version and try again',
        details,
      ),
    },
    {
      code: 'Overloaded',
      want: failure(
        429,
        'TooManyRequests',
        'Too many requests: the write queue is full, please try again later.',
        { retryAfterSeconds: 1 },
      ),
    },
    {
      code: 'Compacted',
      want: failure(410, 'Expired', 'The resourceVersion for the provided list is too old.'),
    },
    {
      code: 'Unavailable',
      want: failure(
        503,
        'ServiceUnavailable',
        'storage cannot take writes at this time, please try again later.',
        { retryAfterSeconds: 1 },
      ),
    },
    { code: 'Corrupt', want: failure(500, '', 'what happened') },
  ]
  for (const { code, want } of cases) {
    it(`${code} (reference 2.2)`, () => {
      const error = new StorageError(code, 'what happened')
      const status = toStatusError(error, resource, 'a')
      expect(status instanceof StatusError && status.toStatus()).to.deep.equal(want)
    })
  }

  it('returns other errors unchanged', () => {
    const error = new Error('other')
    expect(toStatusError(error, resource, 'a')).to.equal(error)
  })
})
