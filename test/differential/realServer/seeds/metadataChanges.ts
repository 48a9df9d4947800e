/** Values of metadata that some rule refuses, drops or changes, by field. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  name: [null, ''],
  generateName: ['a/b', 'A_b', 5],
  namespace: [null, 'other', 'A b', ''],
  uid: ['X-y', null, 5],
  resourceVersion: ['', '1', 'x', '0', null],
  generation: [-1, 7, 1.5, '5'],
  creationTimestamp: ['2020-01-01', '2020-01-01T00:00:00Z', null, 0],
  deletionTimestamp: ['2020-01-01', '2020-01-01T00:00:00Z', null],
  deletionGracePeriodSeconds: [0, 30, 'x'],
  selfLink: ['/x', 5],
  labels: [{ 'A B': 'x' }, { a: 'A B' }, { a: 5 }, { a: null }, {}, 'x'],
  annotations: [{ 'A B': 'x' }, { a: null }, { a: 5 }, {}, []],
  finalizers: [
    ['X-y'],
    ['A B'],
    ['orphan', 'foregroundDeletion'],
    ['a.example.com/x'],
    [null],
    'x',
  ],
  ownerReferences: [
    [{ apiVersion: 'v1', kind: 'Event', name: 'a', uid: 'u' }],
    [{ apiVersion: 'a/b/c', kind: '', name: 'a', uid: 'u' }],
    [
      { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u' },
      { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u' },
    ],
    [{ name: 5 }],
    {},
  ],
  managedFields: [
    [{ manager: 'm', operation: 'x', fieldsType: 'FieldsV1', apiVersion: 'v1' }],
    [{ manager: 5 }],
    [{}],
    [],
    null,
  ],
  unknown: ['x'],
}

/** Change of one or two members of an object's metadata. */
export type MetadataChange = Readonly<Record<string, unknown>>

/** All changes of one member, and all pairs of members with each of their values. */
export function metadataChanges(): MetadataChange[] {
  const single = Object.entries(values).flatMap(([field, all]) =>
    all.map((value) => ({ field, value })),
  )
  return single.flatMap((first, at) => [
    { [first.field]: first.value },
    ...single
      .slice(at + 1)
      .filter(({ field }) => field !== first.field)
      .map((second) => ({ [first.field]: first.value, [second.field]: second.value })),
  ])
}
