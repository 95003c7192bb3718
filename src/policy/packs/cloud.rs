//! `cloud`: destroying what runs elsewhere. A uniform table.

use super::rule;
use crate::policy::model::Rule;

pub(super) static RULES: &[Rule<'static>] = &[
    rule!(
        Ask "cloud/stack-destroy", "This destroys infrastructure",
        instead "`plan` or `preview` shows what would go",
        when { command ["terraform|tofu|terragrunt|pulumi|cdk|sst|cdktf|serverless|sls", "destroy|remove|apply"] without ["--help"] },
        match ["terraform destroy -auto-approve", "pulumi destroy", "tofu apply"],
        pass ["terraform plan", "pulumi preview"],
    ),
    rule!(
        Ask "cloud/cluster-delete", "This deletes from a cluster",
        instead "`kubectl delete --dry-run=server`",
        when { command ["kubectl|oc|helm", "delete|uninstall|drain"] without ["--dry-run"] },
        match ["kubectl delete ns prod", "kubectl -n x delete pod y", "helm uninstall app"],
        pass ["kubectl get pods", "kubectl delete pod x --dry-run=client"],
    ),
    rule!(
        Ask "cloud/storage-delete", "This deletes stored objects",
        instead "`--dryrun`",
        when { command ["aws", "s3", "rm|rb"] without ["--dryrun"] },
        match ["aws s3 rm s3://b --recursive", "aws s3 rb s3://b --force"],
        pass ["aws s3 ls", "aws s3 rm s3://b/x --dryrun"],
    ),
    rule!(
        Ask "cloud/resource-delete", "This deletes a cloud resource",
        instead "",
        when { command ["aws|gcloud|az|doctl|flyctl|fly|heroku"] args ["delete", "delete-*", "destroy", "terminate-instances", "apps:destroy", "remove-*"] },
        match ["aws ec2 terminate-instances --instance-ids i-1", "gcloud compute instances delete x", "az group delete -n x"],
        pass ["aws sts get-caller-identity", "gcloud config list"],
    ),
    rule!(
        Ask "cloud/volume-prune", "This deletes volumes with their data",
        instead "",
        when { command ["docker|podman", "system|image|builder|network", "prune"] flags ["--volumes|-a|--all"] },
        match ["docker system prune -a --volumes"],
        pass ["docker ps -a", "docker container prune"],
    ),
    rule!(
        Ask "cloud/container-volumes", "This deletes volumes with their data",
        instead "without `-v` the volumes stay",
        when { command ["docker|podman", "rm"] flags ["-v|--volumes"] },
        match ["docker rm -v db", "docker rm -fv db"],
        pass ["docker rm db", "docker run --rm -v .:/x image rm -rf build"],
    ),
    rule!(
        Ask "cloud/volume-delete", "This deletes volumes with their data",
        instead "",
        when { command ["docker|podman", "volume", "rm|prune"] },
        match ["docker volume rm data"],
        pass ["docker volume ls"],
    ),
    rule!(
        Ask "cloud/compose-down", "This deletes volumes with their data",
        instead "`docker compose down` keeps them",
        when { command ["docker|podman", "compose", "down"] flags ["-v|--volumes"] },
        match ["docker compose down -v"],
        pass ["docker compose down"],
    ),
    rule!(
        Ask "cloud/object-delete", "This deletes stored objects",
        instead "",
        when { command ["gsutil|s3cmd|mc|b2", "rm|rb|del|delete-file-version"] },
        match ["gsutil -m rm -r gs://b/x", "mc rm --recursive x/y"],
        pass ["gsutil ls gs://b", "gsutil cp a gs://b"],
    ),
    rule!(
        Ask "cloud/state-remove", "This makes the tool forget what it manages",
        instead "`state list` and `state show` first",
        when { command ["terraform|tofu|terragrunt|pulumi", "state|workspace|stack", "rm|delete"] },
        match ["terraform state rm a.b", "pulumi stack rm x"],
        pass ["terraform state list", "pulumi stack ls"],
    ),
    rule!(
        Ask "cloud/platform-delete", "This deletes what runs on a platform",
        instead "",
        when { command ["vercel|netlify|wrangler|railway|render|doppler|eksctl|doctl|cdk|firebase|heroku|pscale|neonctl", "rm|remove|delete|destroy|sites:delete|firestore:delete|pg:reset|addons:destroy|apps:destroy|cluster|database"] args ["rm", "remove", "delete", "destroy", "*:delete", "*:destroy", "*:reset"] },
        match ["vercel rm x --yes", "heroku pg:reset DATABASE", "eksctl delete cluster x", "pscale database delete x"],
        pass ["vercel deploy", "heroku logs", "netlify deploy"],
    ),
    rule!(
        Ask "cloud/repository-delete", "This deletes a repository, or what it needs to work",
        instead "",
        when { command ["gh|glab", "repo|secret|variable|ssh-key|gpg-key|ruleset|environment", "delete|archive|remove"] },
        match ["gh repo delete a/b --yes", "gh secret delete X"],
        pass ["gh repo view a/b", "gh pr list"],
    ),
    rule!(
        Ask "cloud/api-delete", "This deletes by the platform's own interface",
        instead "",
        when { command ["gh|glab", "api"] args ["DELETE", "-XDELETE", "--method=DELETE"] },
        match ["gh api -X DELETE /repos/a/b"],
        pass ["gh api repos/a/b/issues"],
    ),
];
