// SPDX-License-Identifier: Apache-2.0

extension SetupPlan.Proxy {
  /// The proxy's own file, which ends TLS and says who calls; nil for no proxy.
  func file(host: String, consoleHost: String?) -> SetupFile? {
    let hosts = ([host] + (consoleHost.map { $0 == host ? [] : [$0] } ?? []))
    switch self {
    case .none: return nil
    case .nginx: return SetupFile(name: "nginx.conf", text: Self.nginx(hosts), isSecret: false)
    case .caddy: return SetupFile(name: "Caddyfile", text: Self.caddy(hosts), isSecret: false)
    }
  }

  /// To be included in the `http` block, as files of `conf.d` are.
  private static func nginx(_ hosts: [String]) -> String {
    """
    # Written by gatehouse setup: link it into /etc/nginx/conf.d, beside the certificate that it names.
    limit_conn_zone $binary_remote_addr zone=gatehouse_clients:10m;
    upstream gatehouse {
      server 127.0.0.1:8080;
      keepalive 32;
    }
    server {
      listen 443 ssl http2;
      listen [::]:443 ssl http2;
      server_name \(hosts.joined(separator: " "));
      ssl_certificate /etc/gatehouse/tls.pem;
      ssl_certificate_key /etc/gatehouse/tls.key;
      ssl_protocols TLSv1.2 TLSv1.3;
      # Browsers use TLS at every name below too, for a year: without that, leave includeSubDomains out.
      add_header Strict-Transport-Security "max-age=31536000; includeSubDomains" always;
      client_max_body_size 32m;
      limit_conn gatehouse_clients 64;
      location / {
        proxy_pass http://gatehouse;
        proxy_http_version 1.1;
        proxy_connect_timeout 1s;
        proxy_set_header Connection "";
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-For $remote_addr;
      }
    }
    server {
      listen 80;
      listen [::]:80;
      server_name \(hosts.joined(separator: " "));
      return 308 https://$host$request_uri;
    }

    """
  }

  /// Caddy gets its certificates itself.
  private static func caddy(_ hosts: [String]) -> String {
    """
    # Written by gatehouse setup: import it in /etc/caddy/Caddyfile.
    \(hosts.joined(separator: ", ")) {
    \t# Browsers use TLS at every name below too, for a year: without that, leave includeSubDomains out.
    \theader Strict-Transport-Security "max-age=31536000; includeSubDomains"
    \trequest_body {
    \t\tmax_size 32MB
    \t}
    \treverse_proxy 127.0.0.1:8080 {
    \t\theader_up X-Forwarded-For {remote_host}
    \t\tflush_interval -1
    \t}
    }

    """
  }
}
