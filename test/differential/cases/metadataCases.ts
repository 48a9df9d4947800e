import { flunder, flundersPath, post, type Case } from '../call.ts'

// Nothing is stored, so that the cases are independent.
const create = (metadata: object) => post(`${flundersPath}?dryRun=All`, flunder('a', { metadata }))
const owner = { apiVersion: 'wardle.example.com/v1alpha1', kind: 'Fischer', name: 'f', uid: 'u' }

export const metadataCases: readonly Case[] = [
  {
    name: 'metadata: labels and annotations',
    steps: [
      create({ labels: { 'bad key': 'x' } }),
      create({ labels: { ok: 'bad value' } }),
      create({ labels: { '': 'x' } }),
      create({ labels: { 'a/b/c': 'x' } }),
      create({ labels: { 'UPPER.example/x': 'x' } }),
      create({ labels: { ok: 'x'.repeat(64) } }),
      create({ labels: { ['k'.repeat(64)]: 'x' } }),
      create({ labels: { also: '-bad' } }),
      create({ annotations: { 'bad key': 'x' } }),
      create({ annotations: { big: 'x'.repeat(256 * 1024) } }),
      create({ annotations: { UPPER: 'any text\nat all' } }),
    ],
  },
  {
    name: 'metadata: owners and finalizers',
    steps: [
      create({ ownerReferences: [{ ...owner, uid: '' }] }),
      create({ ownerReferences: [{ ...owner, name: '' }] }),
      create({ ownerReferences: [{ ...owner, kind: '' }] }),
      create({ ownerReferences: [{ ...owner, apiVersion: '' }] }),
      create({ ownerReferences: [{ ...owner, apiVersion: 'a/b/c' }] }),
      create({ ownerReferences: [{ ...owner, apiVersion: 'v1', kind: 'Event' }] }),
      create({
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, uid: 'v', controller: true },
        ],
      }),
      create({ finalizers: ['plain'] }),
      create({ finalizers: ['bad finalizer'] }),
      create({ finalizers: ['example.com/x', 'example.com/x'] }),
      create({ finalizers: ['orphan', 'foregroundDeletion'] }),
      create({
        ownerReferences: [owner, { ...owner, controller: true, blockOwnerDeletion: true }],
        finalizers: ['example.com/y'],
      }),
    ],
  },
]
