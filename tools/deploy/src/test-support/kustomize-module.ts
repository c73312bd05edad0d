/** Go module of kustomize, which is built unless `KUSTOMIZE` names a program. */
export const KUSTOMIZE = 'sigs.k8s.io/kustomize/kustomize/v5@v5.8.0';
