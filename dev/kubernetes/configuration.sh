# SPDX-License-Identifier: Apache-2.0
#
# Sourced by dev/kubernetes/up: certificates, and what each part of the cluster is told.

# certificate NAME SUBJECT [ALTERNATIVE_NAMES]
certificate() {
    openssl req -newkey rsa:2048 -nodes -subj "$2" -keyout "$pki/$1.key" -out "$pki/$1.csr" 2>/dev/null
    printf 'basicConstraints=CA:FALSE\nkeyUsage=digitalSignature,keyEncipherment\nextendedKeyUsage=serverAuth,clientAuth\n%s' \
        "${3:+subjectAltName=$3}" >"$pki/$1.extensions"
    openssl x509 -req -days 30 -in "$pki/$1.csr" -CA "$pki/ca.crt" -CAkey "$pki/ca.key" -CAcreateserial \
        -extfile "$pki/$1.extensions" -out "$pki/$1.crt" 2>/dev/null
    rm "$pki/$1.csr" "$pki/$1.extensions"
}

# access NAME FILE: how a client finds the API server and who it is.
access() {
    (
        umask 077
        cat >"$2" <<CONF
apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {server: "https://$(node_address 1):443", certificate-authority-data: $(base64 -w0 <"$pki/ca.crt")}}]
users: [{name: $1, user: {client-certificate-data: $(base64 -w0 <"$pki/$1.crt"), client-key-data: $(base64 -w0 <"$pki/$1.key")}}]
contexts: [{name: test, context: {cluster: test, user: $1}}]
current-context: test
CONF
    )
}

write_certificates() {
    openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=fiber-test -keyout "$pki/ca.key" -out "$pki/ca.crt" 2>/dev/null
    openssl genrsa -out "$pki/accounts.key" 2048 2>/dev/null
    openssl rsa -in "$pki/accounts.key" -pubout -out "$pki/accounts.pub" 2>/dev/null
    certificate api /CN=kube-apiserver "IP:127.0.0.1,IP:$api,IP:$(node_address 1),DNS:localhost,DNS:kubernetes.default.svc"
    certificate to-kubelets /O=system:masters/CN=kube-apiserver-kubelet-client
    certificate admin /O=system:masters/CN=admin
    certificate controllers /CN=system:kube-controller-manager
    certificate scheduler /CN=system:kube-scheduler
    access admin "$KUBECONFIG"
    access controllers "$pki/controllers.conf"
    access scheduler "$pki/scheduler.conf"
}

# program NAME WORDS...: a program with its arguments that can be started again.
program() {
    local name=$1
    shift
    {
        echo '#!/bin/bash'
        printf 'exec'
        printf ' %q' "$@"
        echo
    } >"$state/$name"
    chmod 755 "$state/$name"
}

# What later versions do by default.
gates=--feature-gates=TTLAfterFinished=true,BoundServiceAccountTokenVolume=true

write_control_plane() {
    program kube-apiserver "$binaries/kube-apiserver" --etcd-servers=http://127.0.0.1:2379 --secure-port=443 \
        --advertise-address="$(node_address 1)" --service-cluster-ip-range="$services.0.0/16" --cert-dir="$pki" \
        --tls-cert-file="$pki/api.crt" --tls-private-key-file="$pki/api.key" --client-ca-file="$pki/ca.crt" \
        --kubelet-client-certificate="$pki/to-kubelets.crt" --kubelet-client-key="$pki/to-kubelets.key" \
        --kubelet-certificate-authority="$pki/ca.crt" --kubelet-preferred-address-types=InternalIP \
        --service-account-issuer=https://kubernetes.default.svc --api-audiences=https://kubernetes.default.svc \
        --service-account-key-file="$pki/accounts.pub" --service-account-signing-key-file="$pki/accounts.key" \
        --authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction --allow-privileged=true \
        --endpoint-reconciler-type=none --v=1 "$gates"
    program kube-controller-manager "$binaries/kube-controller-manager" --kubeconfig="$pki/controllers.conf" \
        --authentication-kubeconfig="$pki/controllers.conf" --authorization-kubeconfig="$pki/controllers.conf" \
        --bind-address=127.0.0.1 --cert-dir="$pki" --leader-elect=false --use-service-account-credentials=true \
        --service-account-private-key-file="$pki/accounts.key" --root-ca-file="$pki/ca.crt" \
        --flex-volume-plugin-dir="$state/plugins" --node-monitor-period=2s --node-monitor-grace-period=16s --v=1 "$gates"
    program kube-scheduler "$binaries/kube-scheduler" --kubeconfig="$pki/scheduler.conf" \
        --authentication-kubeconfig="$pki/scheduler.conf" --authorization-kubeconfig="$pki/scheduler.conf" \
        --bind-address=127.0.0.1 --cert-dir="$pki" --leader-elect=false --v=1
    cat >"$state/registry.yml" <<CONF
version: 0.1
log: {level: warn}
storage: {filesystem: {rootdirectory: $state/registry}}
http: {addr: "127.0.0.1:${registry#*:}"}
CONF
}

write_containerd() {
    mkdir -p "$1"/{net.d,log,cni}
    cat >"$1/net.d/10-test.conflist" <<CONF
{"cniVersion": "0.4.0", "name": "node$2", "plugins": [{"type": "bridge", "bridge": "node$2", "isGateway": true, "ipMasq": false,
 "hairpinMode": true, "ipam": {"type": "host-local", "dataDir": "$1/addresses", "routes": [{"dst": "0.0.0.0/0"}],
 "ranges": [[{"subnet": "$pods.$2.0/24", "gateway": "$(node_address "$2")"}]]}}]}
CONF
    cat >"$1/containerd.toml" <<CONF
version = 2
root = "$1/root"
state = "$1/state"
[grpc]
  address = "$1/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "docker.io/library/fiber-test:pause"
  # A machine may refuse it.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "$1/net.d"
[plugins."io.containerd.internal.v1.opt"]
  path = "$1/opt"
CONF
}

write_kubelet() {
    certificate "kubelet$2" "/O=system:nodes/CN=system:node:node-$2" "IP:$(node_address "$2"),DNS:node-$2"
    access "kubelet$2" "$pki/kubelet$2.conf"
    cat >"$1/kubelet.yml" <<CONF
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: $(node_address "$2")
readOnlyPort: 0
healthzPort: $((10300 + $2))
authentication: {anonymous: {enabled: false}, webhook: {enabled: true}, x509: {clientCAFile: "$pki/ca.crt"}}
authorization: {mode: Webhook}
tlsCertFile: "$pki/kubelet$2.crt"
tlsPrivateKeyFile: "$pki/kubelet$2.key"
cgroupDriver: cgroupfs
makeIPTablesUtilChains: false
resolvConf: "$1/resolv.conf"
failSwapOn: false
evictionHard: {memory.available: "64Mi", nodefs.available: "1%", imagefs.available: "1%", nodefs.inodesFree: "1%"}
imageGCHighThresholdPercent: 100
containerLogMaxSize: 1Mi
serializeImagePulls: false
nodeStatusUpdateFrequency: 4s
volumePluginDir: "$1/plugins"
featureGates: {SizeMemoryBackedVolumes: true}
CONF
    : >"$1/resolv.conf"
    cat >"$1/kubelet" <<CONF
#!/bin/bash
echo \$\$ >"$1/kubelet.pid"
exec "$binaries/kubelet" --config="$1/kubelet.yml" --kubeconfig="$pki/kubelet$2.conf" --root-dir="$1/kubelet.d" --cert-dir="$pki" \\
    --container-runtime=remote --container-runtime-endpoint="unix://$1/containerd.sock" --cgroup-root="/$namespace-$2" \\
    --hostname-override="node-$2" --node-ip="$(node_address "$2")" --v=1
CONF
    chmod 755 "$1/kubelet"
}

# The first process of a node's namespaces: makes directories private that programs share, runs containerd, waits for orphans.
write_node() {
    local place=$state/node$1
    write_containerd "$place" "$1"
    write_kubelet "$place" "$1"
    cat >"$place/run" <<CONF
#!/bin/bash
# Network namespaces of others would live as long as this node does.
umount -l /run/netns/* 2>/dev/null
for private in /run /var/lib/kubelet; do
    mkdir -p "\$private"
    mount -t tmpfs -o mode=755 tmpfs "\$private"
done
mkdir -p /var/lib/cni
mount --bind "$place/cni" /var/lib/cni
mount --bind "$place/log" /var/log
mount --make-rshared /
containerd --config "$place/containerd.toml" >>"$state/log/containerd$1.log" 2>&1 &
trap : TERM
while :; do
    sleep 3600 &
    wait \$!
done
CONF
    chmod 755 "$place/run"
}

write_configuration() {
    write_certificates
    write_control_plane
    local each
    for ((each = 1; each <= nodes; each++)); do
        write_node "$each"
    done
}
