/** Go modules that define the custom objects in the overlays, with the folder of their definitions. */
export const DEFINITIONS = [
  { module: 'github.com/kedacore/keda/v2@v2.18.1', folder: 'config/crd/bases' },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    folder: 'example/prometheus-operator-crd',
  },
  { module: 'sigs.k8s.io/gateway-api@v1.4.0', folder: 'config/crd/standard' },
] as const;
