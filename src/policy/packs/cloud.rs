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
];
