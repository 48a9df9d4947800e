import { expect } from 'chai'
import { EventEmitter } from 'node:events'
import { lastResort } from '../../apiserver/runtime/lastResort.ts'

describe('lastResort', () => {
  const logged: string[] = []
  const log = { error: (_fields: object, message: string) => void logged.push(message) }

  it('continues after a rejected promise and a socket error, and stops after any other', async () => {
    const process = new EventEmitter()
    const last = lastResort(process, log)
    let isBroken = false
    void last.broken.then(() => (isBroken = true))
    process.emit('unhandledRejection', new Error('a promise'))
    const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET', syscall: 'read' })
    process.emit('uncaughtException', reset)
    await Promise.resolve()
    expect([last.count(), isBroken]).to.deep.equal([2, false])
    process.emit('uncaughtException', new TypeError('a bug'))
    await last.broken
    expect(last.count()).to.equal(3)
    expect(logged).to.deep.equal([
      'unhandled promise rejection',
      'unhandled socket error',
      'uncaught error; stopping',
    ])
  })
})
