/** A Go module: built where no other is named (`KUSTOMIZE`). */
export const KUSTOMIZE = 'sigs.k8s.io/kustomize/kustomize/v5@v5.8.0';
