import type { AdmissionPlugin } from '../../admissionPlugin.ts'
import { refusal } from '../pods/podRefusal.ts'

/** Admits every write. Source: Kubernetes, AlwaysAdmit. */
export const alwaysAdmit: AdmissionPlugin = { name: 'AlwaysAdmit', handles: () => false }

/** Refuses every write. Source: Kubernetes, AlwaysDeny. */
export const alwaysDeny: AdmissionPlugin = {
  name: 'AlwaysDeny',
  handles: () => true,
  mutate: (request) => {
    throw refusal(request, 'admission control is denying all modifications')
  },
}
