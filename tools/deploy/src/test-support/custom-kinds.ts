/** Whose objects the overlays hold beside those of Kubernetes, and where their source keeps the definitions. */
export const DEFINITIONS = [
  { module: 'github.com/kedacore/keda/v2@v2.18.1', folder: 'config/crd/bases' },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    folder: 'example/prometheus-operator-crd',
  },
  { module: 'sigs.k8s.io/gateway-api@v1.4.0', folder: 'config/crd/standard' },
] as const;
