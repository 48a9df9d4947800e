import { expect } from 'chai'
import { RunDeadline } from '../../../syncer/expressions/runDeadline.ts'

describe('RunDeadline', () => {
  let wall = 0
  let processor: number | undefined = 0
  const pass = (wallMs: number, processorMs: number) => {
    wall += wallMs
    processor = processor === undefined ? undefined : processor + processorMs
  }
  const started = () => {
    wall = 0
    processor = 0
    const deadline = new RunDeadline(
      50,
      () => wall,
      () => processor,
    )
    deadline.start()
    return deadline
  }

  /** Time limits of an endless loop on a machine that is slower by the factor `slower`. */
  function endlessLoop(slower: number): { wall: number; processor: number } {
    const deadline = started()
    while (!deadline.isOver()) pass(slower, 1)
    return { wall, processor: processor ?? 0 }
  }

  it('ends an endless loop on an idle machine within twice its time', () => {
    expect(endlessLoop(1).wall).to.be.within(50, 110)
  })

  it('counts processor time: a machine five times slower fails no valid expression', () => {
    const deadline = started()
    // 45 ms of work take 225 ms of wall time.
    for (let ms = 0; ms < 45; ms++) {
      pass(5, 1)
      expect(deadline.isOver()).to.equal(false)
    }
    expect(endlessLoop(5).processor).to.be.within(50, 110)
  })

  it('ends a loop that gets hardly any processor time too', () => {
    expect(endlessLoop(1_000).wall).to.be.within(1_000, 2_000)
  })

  it('uses wall time if the system reports no processor time', () => {
    const deadline = started()
    processor = undefined
    pass(49, 0)
    expect(deadline.isOver()).to.equal(false)
    pass(2, 0)
    expect(deadline.isOver()).to.equal(true)
  })

  it('never expires while nothing runs', () => {
    const deadline = started()
    deadline.stop()
    pass(10_000, 10_000)
    expect(deadline.isOver()).to.equal(false)
  })
})
