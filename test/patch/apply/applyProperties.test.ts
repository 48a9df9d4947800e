import { expect } from 'chai'
import fc from 'fast-check'
import { compareTyped } from '../../../apiserver/patch/apply/typed/compareTyped.ts'
import { createdFields } from '../../../apiserver/patch/apply/fields/createdFields.ts'
import { isEmpty } from '../../../apiserver/patch/apply/fields/fieldSet.ts'
import { fieldType } from '../../../apiserver/patch/apply/typed/fieldType.ts'
import { mergeTyped } from '../../../apiserver/patch/apply/typed/mergeTyped.ts'
import { withoutUntracked } from '../../../apiserver/patch/apply/managers/untrackedFields.ts'
import { written } from '../../../apiserver/patch/apply/managers/fieldOwnership.ts'
import { validateTyped } from '../../../apiserver/patch/apply/typed/validateTyped.ts'
import { LiveWidget, widget, widgetSchema } from './widget.ts'

const short = fc.constantFrom('a', 'b', 'c')
const texts = fc.dictionary(short, short)
const set = fc.uniqueArray(short)
const ports = fc.uniqueArray(
  fc.record(
    { port: fc.constantFrom(80, 81), protocol: fc.constantFrom('TCP', 'UDP'), name: short },
    { requiredKeys: ['port', 'protocol'] },
  ),
  { selector: ({ port, protocol }) => `${port}/${protocol}` },
)
const containers = fc.uniqueArray(
  fc.record({ name: short, image: short, args: set, ports }, { requiredKeys: ['name'] }),
  { selector: ({ name }) => name },
)

/** Specs that match the schema. */
const specs = fc.record(
  {
    replicas: fc.nat(2),
    name: short,
    labels: texts,
    maps: fc.dictionary(short, texts),
    atomicMap: texts,
    nested: fc.record({ a: short, deep: fc.record({ x: short, y: short }, { requiredKeys: [] }) }),
    plainList: fc.array(short, { maxLength: 2 }),
    set,
    containers,
    free: fc.dictionary(short, fc.oneof(short, texts, fc.array(fc.nat(2), { maxLength: 2 }))),
  },
  { requiredKeys: [] },
)
const type = fieldType(widgetSchema)

/**
 * Without empty maps and lists: apply leaves null in their place, which is dropped before storing.
 */
function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBlanks)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value)
    .map(([name, member]) => [name, withoutBlanks(member)] as const)
    .filter(([, member]) => !isBlank(member))
  return Object.fromEntries(members)
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}

describe('apply, for all configurations (reference 3.12)', () => {
  it('is idempotent', () => {
    fc.assert(
      fc.property(specs, specs, (before, spec) => {
        const live = new LiveWidget().update('u', widget(before))
        const once = live.apply('a', widget(spec), { force: true }).live
        expect(live.apply('a', widget(spec)).live).to.deep.equal(once)
      }),
    )
  })

  it('never conflicts between managers of different fields', () => {
    const halves = fc.tuple(specs, fc.func(fc.boolean())).map(([spec, isFirst]) => {
      const entries = Object.entries(spec)
      return [true, false].map((side) =>
        widget(Object.fromEntries(entries.filter(([name]) => isFirst(name) === side))),
      )
    })
    fc.assert(
      fc.property(halves, ([first = widget(), second = widget()]) => {
        const live = new LiveWidget().apply('a', first).apply('b', second)
        expect(live.spec).to.deep.equal({ ...(first['spec'] ?? {}), ...(second['spec'] ?? {}) })
      }),
    )
  })

  it('removes exactly what the manager alone owned', () => {
    fc.assert(
      fc.property(specs, specs, (mine, others) => {
        const alone = new LiveWidget().apply('b', widget(others))
        const live = new LiveWidget()
          .apply('b', widget(others))
          .apply('a', widget(mine), { force: true })
          .apply('b', widget(others), { force: true })
          .apply('a', widget({}))
        const left = compareTyped(object(live), object(alone), type)
        expect(isEmpty(left.added) && isEmpty(left.modified)).to.equal(true)
        expect(live.owners['b Apply']).to.deep.equal(alone.owners['b Apply'])
      }),
    )
    function object({ spec }: LiveWidget) {
      return { spec: withoutBlanks(spec) }
    }
  })

  it('gives the creator of an object what a comparison with an empty one finds (reference 3.11)', () => {
    const { kind, apiVersion } = widget()
    const empties = [{}, { spec: {} }, { spec: {}, status: {} }]
    const statuses = fc.option(
      fc.constantFrom({}, { conditions: [{ type: 'a' }] }, { phase: 'a' }),
      {
        nil: undefined,
      },
    )
    const metadata = fc.record({ labels: texts, annotations: texts }, { requiredKeys: [] })
    fc.assert(
      fc.property(fc.option(specs), statuses, metadata, (spec, status, more) => {
        const made = widget(spec ?? undefined, { status })
        const next = { ...made, metadata: { ...made.metadata, uid: 'u', generation: 1, ...more } }
        for (const structs of empties) {
          const empty = { kind, apiVersion, metadata: {}, ...structs }
          const compared = withoutUntracked(written(compareTyped(empty, next, type)))
          expect(createdFields(next, empty, type)).to.deep.equal(compared)
        }
      }),
    )
  })

  it('returns an object that fits the schema and contains the configuration', () => {
    fc.assert(
      fc.property(specs, specs, (before, spec) => {
        const merged = mergeTyped(widget(before), widget(spec), type)
        validateTyped(merged, type)
        const again = mergeTyped(merged, widget(spec), type)
        expect(again).to.deep.equal(merged)
      }),
    )
  })
})
